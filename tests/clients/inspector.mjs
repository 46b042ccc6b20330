// Inspector CLI, both eras, lists the tools strictly, saves and gets a snippet.
//
//   inspector.mjs [--get] URL NAME TEXT
//   inspector.mjs [--get] --stdio NAME TEXT COMMAND [ARGS...]
//
// `--get` leaves out the saving. Over stdio each step is a host process of its own. `--strict` makes the CLI exit 6 when a tool's schema is not
// portable between model vendors; a tool error is its exit 5. Exits 1 with the reason on stderr
// when a step fails.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { check, checkTools, node22, nodeModules, parseArguments, run, textOf } from './snippets.mjs';

const CLI = join(nodeModules, '@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const { saves, name, text, url, command } = parseArguments('inspector.mjs');

// The CLI keeps state in the home folder; each run gets its own.
const home = await mkdtemp(join(tmpdir(), 'mcpfn-inspector-'));
const target = url ? [url] : await writeConfig();

// A command goes in by file: on the command line its options would be read as the CLI's own, and
// without `env` the host would see six variables only, though it reads its settings from there.
async function writeConfig() {
  const [program, ...args] = command;
  const server = { type: 'stdio', command: program, args, env: process.env };
  const file = join(home, 'config.json');
  await writeFile(file, JSON.stringify({ mcpServers: { mcpfn: server } }));
  return ['--config', file, '--server', 'mcpfn'];
}

function inspect(era, ...options) {
  const flags = ['--protocol-era', era, '--format', 'json', ...options];
  const settings = { env: { ...process.env, HOME: home }, timeout: 30_000 };
  return new Promise((resolve, reject) => {
    execFile(node22, [CLI, '--cli', ...target, ...flags], settings, (error, stdout, stderr) => {
      const step = `${era} ${options.slice(1).join(' ')}`;
      if (error) {
        const end = error.killed ? 'did not end in 30 s' : `exit ${error.code}`;
        return reject(new Error(`${step}: ${end}: ${stderr.trim()} ${stdout.trim()}`));
      }
      try {
        resolve(JSON.parse(stdout).result);
      } catch {
        reject(new Error(`${step}: no JSON on stdout: ${stdout}${stderr}`));
      }
    });
  });
}

function call(era, tool, args) {
  return inspect(era, '--method', 'tools/call', '--tool-name', tool,
    '--tool-args-json', JSON.stringify(args));
}

async function saveAndGet(era) {
  const { tools } = await inspect(era, '--method', 'tools/list', '--strict');
  checkTools(tools);
  const steps = [`${era}: listed ${tools.length}`];
  if (saves) {
    textOf(await call(era, 'save_snippet', { snippetname: name, snippet: text }), 'save_snippet');
    steps.push('saved');
  }
  const got = textOf(await call(era, 'get_snippets', { snippetname: name }), 'get_snippets');
  check(got === text, `${era}: got ${JSON.stringify(got)}, expected ${JSON.stringify(text)}`);
  steps.push('got');
  return steps.join(', ');
}

await run('inspector', 120, async () => {
  try {
    return [await saveAndGet('modern'), await saveAndGet('legacy')].join('; ');
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
