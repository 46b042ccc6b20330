// What the Node clients share: where the packages are, how a script is called, how it fails.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The packages are installed outside the clone (MCPFN_TEST_NODE_MODULES), where an ESM `import`
// from here would not look; a `require` made in that folder does.
export const nodeModules =
  process.env.MCPFN_TEST_NODE_MODULES ?? fileURLToPath(new URL('node_modules', import.meta.url));
export const require = createRequire(join(nodeModules, 'clients.cjs'));

// Node 22, which the inspector and the conformance suite need; comes with the packages. Not by
// `.bin/node`: npm 10 leaves that link out, since the package of each processor claims it.
export const node22 = join(nodeModules, `node-linux-${process.arch}`, 'bin', 'node');

// Reads `[--get] URL NAME TEXT`, or `[--get] --stdio NAME TEXT COMMAND ARGS...`.
export function parseArguments(script) {
  const rest = process.argv.slice(2);
  const take = (flag) => rest[0] === flag && rest.shift() === flag;
  const saves = !take('--get');
  const stdio = take('--stdio');
  const complete = stdio ? rest.length >= 3 : rest.length === 3;
  if (!complete) {
    console.error(`usage: ${script} [--get] URL NAME TEXT`);
    console.error(`       ${script} [--get] --stdio NAME TEXT COMMAND [ARGS...]`);
    process.exit(2);
  }
  if (stdio) {
    const [name, text, ...command] = rest;
    return { saves, name, text, command };
  }
  const [url, name, text] = rest;
  return { saves, name, text, url };
}

// Reads `URL`, and nothing else.
export function parseUrl(script) {
  const [url, ...others] = process.argv.slice(2);
  if (url && others.length === 0) return url;
  console.error(`usage: ${script} URL`);
  process.exit(2);
}

export function check(condition, message) {
  if (!condition) throw new Error(message);
}

// The text of a tool result, which must be one text block and no error.
export function textOf(result, tool) {
  check(!result.isError, `${tool} answered an error: ${JSON.stringify(result.content)}`);
  const [block, ...others] = result.content ?? [];
  check(block?.type === 'text' && others.length === 0,
    `${tool} answered ${JSON.stringify(result.content)}, expected one text block`);
  return block.text;
}

export function checkTools(tools) {
  const names = tools.map((tool) => tool.name);
  for (const name of ['save_snippet', 'get_snippets']) {
    check(names.includes(name), `tools/list has no ${name}: ${names.join(', ')}`);
  }
}

// Runs `main` and ends the process: 0 and its line on stdout, or 1 and the reason on stderr.
// The deadline is for a host that never answers.
export async function run(script, seconds, main) {
  const deadline = setTimeout(() => {
    console.error(`${script}: no end after ${seconds} s`);
    process.exit(1);
  }, seconds * 1000);
  try {
    console.log(`${script}: ${await main()}`);
  } catch (error) {
    console.error(`${script}: ${error.message}`);
    process.exitCode = 1;
  } finally {
    clearTimeout(deadline);
  }
}
