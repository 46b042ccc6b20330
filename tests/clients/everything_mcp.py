"""PyPI `mcp` 2.x with the fixtures of the conformance suite, in both eras.

    everything_mcp.py URL

Exits 1 with the reason on stderr when a step fails.
"""

from mcp import Client
from mcp.types import ElicitResult

from everything import ANSWER, check, drive, run


async def era(url, mode, protocol):
    questions = []

    async def elicit(context, params):
        questions.append(params.message)
        return ElicitResult(action="accept", content=ANSWER)

    async with Client(url, mode=mode, elicitation_callback=elicit) as client:
        negotiated = client.protocol_version
        check(negotiated == protocol, f"negotiated {negotiated}, expected {protocol}")

        async def list_names():
            return [tool.name for tool in (await client.list_tools()).tools]

        async def call(name, arguments, on_progress=None):
            return await client.call_tool(name, arguments, progress_callback=on_progress)

        return await drive(list_names, call, questions)


if __name__ == "__main__":
    run(
        "everything_mcp",
        {
            "auto": lambda url: era(url, "auto", "2026-07-28"),
            "legacy": lambda url: era(url, "legacy", "2025-11-25"),
        },
    )
