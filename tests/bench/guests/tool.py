"""The tool that is measured, in Python: it answers with its argument."""

import json

from wit_world import exports
from wit_world.imports import types

SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string", "description": "What to answer."}},
    "required": ["text"],
}


class Handler(exports.Handler):
    """What the component exports."""

    def describe(self):
        trigger = types.ToolTrigger(
            name="trivial_0000",
            title=None,
            description="Answers with its argument.",
            input=types.InputSchema_Schema(json.dumps(SCHEMA)),
            output_schema=None,
            annotations=None,
            icons=None,
            meta=None,
        )
        return [types.Function("trivial_0000", types.Trigger_Tool(trigger), [], [])]

    def invoke(self, call):
        text = json.loads(call.arguments)["text"]
        return types.Completion(types.Outcome_Text(text), [], None, [])
