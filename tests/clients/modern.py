"""PyPI `mcp` 2.x, the modern wire (2026-07-28), saves and gets a snippet.

    modern.py [--get] URL NAME TEXT
    modern.py [--get] --stdio NAME TEXT COMMAND [ARGS...]

`--get` leaves out the saving. Exits 1 with the reason on stderr when a step fails.
"""

import asyncio
import os
import sys

from mcp import Client, StdioServerParameters

PROTOCOL = "2026-07-28"
DEADLINE = 60.0


class Failure(Exception):
    """A step that did not do what it must."""


def text_of(result, tool):
    """The text of a tool result, which must be one text block and no error."""
    if result.is_error:
        raise Failure(f"{tool} answered an error: {result.content!r}")
    if [block.type for block in result.content] != ["text"]:
        raise Failure(f"{tool} answered {result.content!r}, expected one text block")
    return result.content[0].text


async def save_and_get(server, name, text, saves):
    async with Client(server) as client:
        if client.protocol_version != PROTOCOL:
            raise Failure(f"negotiated {client.protocol_version}, expected {PROTOCOL}")

        names = [tool.name for tool in (await client.list_tools()).tools]
        for tool in ("save_snippet", "get_snippets"):
            if tool not in names:
                raise Failure(f"tools/list has no {tool}: {', '.join(names)}")
        steps = [f"listed {len(names)}"]

        if saves:
            arguments = {"snippetname": name, "snippet": text}
            text_of(await client.call_tool("save_snippet", arguments), "save_snippet")
            steps.append("saved")

        got = text_of(await client.call_tool("get_snippets", {"snippetname": name}), "get_snippets")
        if got != text:
            raise Failure(f"got {got!r}, expected {text!r}")
        steps.append("got")
        return ", ".join(steps)


def parse_arguments(arguments):
    saves = arguments[:1] != ["--get"]
    rest = arguments if saves else arguments[1:]
    match rest:
        case ["--stdio", name, text, command, *args]:
            # Without `env` the SDK passes six variables only, and the host reads its settings
            # from there.
            server = StdioServerParameters(command=command, args=args, env=dict(os.environ))
            return server, name, text, saves
        case [url, name, text] if url != "--stdio":
            return url, name, text, saves
        case _:
            print(__doc__, file=sys.stderr)
            sys.exit(2)


def leaves(error):
    """The errors inside the groups that task groups wrap around the one that counts."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from leaves(inner)
    else:
        yield error


def main():
    server, name, text, saves = parse_arguments(sys.argv[1:])
    try:
        # The deadline is for a host that never answers.
        line = asyncio.run(asyncio.wait_for(save_and_get(server, name, text, saves), DEADLINE))
    except TimeoutError:
        sys.exit(f"modern: no end after {DEADLINE:.0f} s")
    except Exception as error:
        sys.exit("modern: " + "; ".join(f"{type(e).__name__}: {e}" for e in leaves(error)))
    print(f"modern: {line}")


if __name__ == "__main__":
    main()
