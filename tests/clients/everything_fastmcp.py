"""PyPI `fastmcp` 4.x with the fixtures of the conformance suite, in both eras.

    everything_fastmcp.py URL

Exits 1 with the reason on stderr when a step fails.
"""

from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult

from everything import ANSWER, check, drive, run


async def era(url, mode, protocol):
    questions = []

    async def elicit(message, response_type, params, context):
        questions.append(message)
        return ElicitResult(action="accept", content=ANSWER)

    async with Client(url, mode=mode, elicitation_handler=elicit) as client:
        negotiated = client.session.protocol_version
        check(negotiated == protocol, f"negotiated {negotiated}, expected {protocol}")

        async def list_names():
            return [tool.name for tool in await client.list_tools()]

        async def call(name, arguments, on_progress=None):
            return await client.call_tool(name, arguments, progress_handler=on_progress)

        return await drive(list_names, call, questions)


if __name__ == "__main__":
    run(
        "everything_fastmcp",
        {
            "auto": lambda url: era(url, "auto", "2026-07-28"),
            "legacy": lambda url: era(url, "legacy", "2025-11-25"),
        },
    )
