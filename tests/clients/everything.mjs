// What every client does with the fixtures of the conformance suite: lists, calls, takes a
// structured result, is asked, is told of progress, cancels.

import { setTimeout as sleep } from 'node:timers/promises';

import { check, textOf } from './snippets.mjs';

const NAME = 'Ferris';

// How long the call that is cancelled runs before it is: nothing tells a client that it began.
const BEFORE_CANCEL_MS = 1000;

// What is left of its half a minute must not be waited for.
const CANCELLED_MS = 15_000;

export const NEEDED = ['test_simple_text', 'structured', 'slow_compute', 'test_tool_with_progress',
  'test_elicitation', 'test_input_required_result_elicitation'];

export function checkFixtures(tools) {
  const names = tools.map((tool) => tool.name);
  for (const name of NEEDED) check(names.includes(name), `tools/list has no ${name}`);
}

export function checkStructured(result) {
  const sky = result.structuredContent?.sky;
  check(sky === 'cloudy', `structured answered ${JSON.stringify(result)}`);
}

// What a client answers to any of the questions: one is for a name, the other for a user.
export const ANSWER = {
  action: 'accept',
  content: { name: NAME, username: NAME, email: 'ferris@example.com' },
};

// Drives a client of any kind: `list()` gives the tools, `call(name, args, options)` a result,
// where the options are `onprogress` and `signal`; `questions` are those that it was asked.
export async function drive({ list, call, questions }) {
  checkFixtures(await list());
  textOf(await call('test_simple_text', {}), 'test_simple_text');
  checkStructured(await call('structured', { windy: true }));

  // The fixtures of one era are asked in the other, too: they are written once for both.
  for (const tool of ['test_input_required_result_elicitation', 'test_elicitation']) {
    const before = questions.length;
    const answer = textOf(await call(tool, { message: 'Who are you?' }), tool);
    check(questions.length - before === 1, `${tool} asked ${questions.length - before} times`);
    check(answer.includes(NAME), `${tool} answered ${answer}`);
  }

  const told = [];
  const onprogress = ({ progress }) => { told.push(progress); };
  textOf(await call('test_tool_with_progress', {}, { onprogress }), 'test_tool_with_progress');
  // The SDKs forget the call before they hand on what came in one packet with its result.
  check(told.length >= 2 && '0,50,100'.startsWith(String(told)), `the progress was ${told}`);

  await cancel(call);
  return 'listed, called, structured, asked, progressed, cancelled';
}

// Cancels a call of half a minute, and makes another: the connection must still be good.
async function cancel(call) {
  const controller = new AbortController();
  const started = Date.now();
  const ended = call('slow_compute', { seconds: 30, label: 'node' }, { signal: controller.signal })
    .then(() => 'answered', () => 'cancelled');
  await sleep(BEFORE_CANCEL_MS);
  controller.abort('no longer needed');
  check(await ended === 'cancelled', 'slow_compute was cancelled and answered');
  textOf(await call('test_simple_text', {}), 'test_simple_text');
  const took = Date.now() - started;
  check(took < CANCELLED_MS, `the cancelled call held up the next: ${took} ms`);
}
