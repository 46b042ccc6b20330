"""What every Python client does with the fixtures of the conformance suite.

It lists, calls, takes a structured result, is asked, is told of progress, and cancels.
"""

import asyncio
import json
import sys
import time

NAME = "Ferris"

# What a client answers to any of the questions: one is for a name, the other for a user.
ANSWER = {"name": NAME, "username": NAME, "email": "ferris@example.com"}

NEEDED = (
    "test_simple_text",
    "structured",
    "slow_compute",
    "test_tool_with_progress",
    "test_elicitation",
    "test_input_required_result_elicitation",
)

# How long the call that is cancelled runs before it is: nothing tells a client that it began.
BEFORE_CANCEL = 1.0

# What is left of its half a minute must not be waited for.
CANCELLED = 15.0

DEADLINE = 60.0


class Failure(Exception):
    """A step that did not do what it must."""


def check(condition, message):
    if not condition:
        raise Failure(message)


def text_of(result, tool):
    """The text of a tool result, which must be one text block and no error."""
    check(not result.is_error, f"{tool} answered an error: {result.content!r}")
    blocks = [block.type for block in result.content]
    check(blocks == ["text"], f"{tool} answered {result.content!r}, expected one text block")
    return result.content[0].text


async def drive(list_names, call, questions):
    """Drives a client of any kind.

    `list_names()` gives the names of the tools, `call(name, arguments, on_progress)` a result;
    `questions` are those that the client was asked.
    """
    names = await list_names()
    for name in NEEDED:
        check(name in names, f"tools/list has no {name}")
    text_of(await call("test_simple_text", {}), "test_simple_text")

    structured = (await call("structured", {"windy": True})).structured_content
    check((structured or {}).get("sky") == "cloudy", f"structured answered {structured!r}")

    # The fixtures of one era are asked in the other, too: they are written once for both.
    for tool in ("test_input_required_result_elicitation", "test_elicitation"):
        before = len(questions)
        answer = text_of(await call(tool, {"message": "Who are you?"}), tool)
        check(len(questions) - before == 1, f"{tool} asked {len(questions) - before} times")
        check(NAME in answer, f"{tool} answered {answer}")

    told = []

    async def on_progress(progress, total=None, message=None):
        told.append(progress)

    text_of(await call("test_tool_with_progress", {}, on_progress), "test_tool_with_progress")
    # One that comes in a packet with the result may be handed on too late.
    check(len(told) >= 2 and told == [0, 50, 100][: len(told)], f"the progress was {told}")

    await cancel(call)
    return "listed, called, structured, asked, progressed, cancelled"


async def cancel(call):
    """Cancels a call of half a minute, and makes another: the connection must still be good."""
    started = time.monotonic()
    task = asyncio.create_task(call("slow_compute", {"seconds": 30, "label": "python"}))
    await asyncio.sleep(BEFORE_CANCEL)
    check(not task.done(), "slow_compute ended before it was cancelled")
    task.cancel()
    await asyncio.wait([task])
    check(task.cancelled(), "slow_compute was cancelled and answered")
    text_of(await call("test_simple_text", {}), "test_simple_text")
    took = time.monotonic() - started
    check(took < CANCELLED, f"the cancelled call held up the next: {took:.0f} s")


def leaves(error):
    """The errors inside the groups that task groups wrap around the one that counts."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from leaves(inner)
    else:
        yield error


def run(script, eras):
    """Runs `era(url)` for each era by name; prints one line, or exits 1 with the reason."""
    match sys.argv[1:]:
        case [url]:
            pass
        case _:
            sys.exit(f"usage: {script}.py URL")
    lines = []
    for name, era in eras.items():
        try:
            # The deadline is for a host that never answers.
            lines.append(f"{name}: {asyncio.run(asyncio.wait_for(era(url), DEADLINE))}")
        except TimeoutError:
            sys.exit(f"{script}: {name}: no end after {DEADLINE:.0f} s")
        except Exception as error:
            reasons = "; ".join(f"{type(e).__name__}: {e}" for e in leaves(error))
            sys.exit(f"{script}: {name}: {reasons}")
    print(f"{script}: {'; '.join(lines)}")
