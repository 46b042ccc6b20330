// The MCP conformance suite against a running host: every scenario, and what came of it.
//
//   conformance.mjs URL REQUIREMENTS OUTDIR [SCENARIO]
//   conformance.mjs --stdio REQUIREMENTS OUTDIR COMMAND [ARGS...]
//
// URL must name `localhost` (the DNS rebinding scenario asks for it), REQUIREMENTS is 2025-11-25
// or 2026-07-28. With --stdio the command serves its standard input and output, and the suite
// comes through a bridge, whose limits are in bridge.mjs. The suite's files go to
// OUTDIR/REQUIREMENTS. With SCENARIO only that one is run, and all of its checks are shown.
//
// All scenarios of suite.mjs must run, and each must test something; no check may fail, warn or,
// save for those that suite.mjs names, be skipped; and every fixture must be there. Exits 0 when
// all that holds, 1 when it does not, 2 when the suite did not run to its end.

import { spawn } from 'node:child_process';
import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { NOT_CARRIED, startBridge } from './bridge.mjs';
import { node22, nodeModules, require } from './snippets.mjs';
import { FIXTURES, SCENARIOS, SKIPPED } from './suite.mjs';

const { Client, StreamableHTTPClientTransport } = require('@modelcontextprotocol/client');

// A whole run takes some seconds. A host that does not answer costs each scenario its timeout, one
// after the other; the deadline ends that. Through the bridge, some wait in vain for a task.
const SCENARIO_TIMEOUT_MS = { direct: 15_000, bridged: 6_000 };
const DEADLINE_MS = 240_000;
const STATUSES = ['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED', 'INFO'];

class NotRun extends Error {}

function parseArguments() {
  const [first, ...rest] = process.argv.slice(2);
  const stdio = first === '--stdio';
  const [requirements, outdir, ...others] = rest;
  const known = SCENARIOS[requirements];
  const isKnown = ([only]) => only === undefined || known?.includes(only);
  const complete =
    stdio ? others.length > 0 : outdir && others.length <= 1 && isKnown(others);
  if (!complete || !known) {
    console.error('usage: conformance.mjs URL REQUIREMENTS OUTDIR [SCENARIO]');
    console.error('       conformance.mjs --stdio REQUIREMENTS OUTDIR COMMAND [ARGS...]');
    console.error(`REQUIREMENTS is one of ${Object.keys(SCENARIOS).join(', ')}`);
    if (known) console.error(`SCENARIO is one of ${known.join(', ')}`);
    process.exit(2);
  }
  return stdio
    ? { requirements, outdir: join(outdir, requirements), command: others }
    : { requirements, outdir: join(outdir, requirements), url: first, only: others[0] };
}

// What the host lacks of the fixtures, as a client of the set's own era sees it.
async function missingFixtures(url, requirements) {
  const mode = requirements === '2025-11-25' ? 'legacy' : { pin: requirements };
  const client = new Client({ name: 'mcpfn-tests', version: '0' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  try {
    const { tools } = await client.listTools();
    const { resources } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();
    const { prompts } = await client.listPrompts();
    const missing = (kind, found) =>
      FIXTURES[kind].filter((name) => !found.includes(name)).map((name) => `${kind}: ${name}`);
    return [
      ...missing('tools', tools.map(({ name }) => name)),
      ...missing('resources', resources.map(({ uri }) => uri)),
      ...missing('resourceTemplates', resourceTemplates.map(({ uriTemplate }) => uriTemplate)),
      ...missing('prompts', prompts.map(({ name }) => name)),
    ];
  } finally {
    await client.close();
  }
}

// Runs the suite, or one scenario of it, and gives the names of what ran.
function suite(url, { requirements, outdir, only, command }) {
  const index = join(nodeModules, '@modelcontextprotocol/conformance/dist/index.js');
  // --force, since the scenarios of extensions belong to no revision.
  const selected = only
    ? ['--scenario', only, '--spec-version', requirements, '--force']
    : ['--requirements', requirements];
  const timeout = command ? SCENARIO_TIMEOUT_MS.bridged : SCENARIO_TIMEOUT_MS.direct;
  const args =
    ['server', '--url', url, ...selected, '-o', outdir, '--timeout', String(timeout)];
  return new Promise((resolve, reject) => {
    const child = spawn(node22, [index, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => { stdout += chunk; });
    child.stderr.setEncoding('utf8').on('data', (chunk) => { stderr += chunk; });
    child.on('error', (error) => reject(new NotRun(`cannot run ${node22}: ${error.message}`)));
    const deadline = setTimeout(() => {
      child.kill('SIGKILL');
      const end = stdout.slice(-2000);
      reject(new NotRun(`no end after ${DEADLINE_MS / 1000} s; the last lines:\n${end}`));
    }, DEADLINE_MS);
    child.on('close', (code) => {
      clearTimeout(deadline);
      // 1 says that something failed, which the checks tell in detail.
      if (code !== 0 && code !== 1) {
        return reject(new NotRun(`the suite ended with ${code}:\n${stderr.slice(-2000)}`));
      }
      if (only) return resolve([only]);
      if (!stdout.includes('=== SUMMARY ===')) {
        return reject(new NotRun(`the suite has no summary:\n${stdout}${stderr}`));
      }
      const started = stdout.matchAll(/^=== Running scenario: (.+) ===$/gm);
      resolve([...started].map(([, scenario]) => scenario));
    });
  });
}

// The checks of a scenario, from `OUTDIR/server-SCENARIO-TIME/checks.json`.
async function checksOf(scenario, outdir) {
  const stamped = /^server-(.+)-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d+Z$/;
  try {
    const folder = (await readdir(outdir)).find((name) => stamped.exec(name)?.[1] === scenario);
    return JSON.parse(await readFile(join(outdir, folder, 'checks.json'), 'utf8'));
  } catch {
    // The scenario threw, or it left nothing: not to be hidden.
    return [{ status: 'FAILURE', id: 'no-checks', errorMessage: 'the suite left no checks.json' }];
  }
}

// What is wrong with a scenario: the check, and the line that says it.
function faultsOf(scenario, checks) {
  const permitted = SKIPPED[scenario] ?? {};
  const isFault = ({ status, id }) =>
    status === 'FAILURE' || status === 'WARNING' || (status === 'SKIPPED' && !permitted[id]);
  const faults = checks.filter(isFault).map(({ status, id, errorMessage, details }) => {
    const reason = String(errorMessage ?? details?.message ?? '').split('\n')[0].slice(0, 300);
    return { id, line: `${status} ${id}: ${reason}` };
  });
  // The check on message schemas is in each scenario, whatever else it looked at.
  const tested = checks.some(({ status, id }) => status === 'SUCCESS' && id !== 'wire-schema-valid');
  const permits = checks.every(({ status, id }) => status === 'SKIPPED' && permitted[id]);
  if (faults.length === 0 && !tested && !permits) faults.push({ line: 'it tested nothing' });
  return faults;
}

// Prints the table, and gives the number of checks that passed and all faults.
async function judge(ran, { requirements, outdir, command, only }) {
  const notCarried = command ? NOT_CARRIED[requirements] : {};
  const width = Math.max(...ran.map((scenario) => scenario.length));
  const row = (cells) => cells.map((cell) => String(cell).padStart(8)).join('');
  console.log(requirements.padEnd(width) + row(['passed', 'failed', 'warned', 'skipped', 'info']));
  const all = { passed: 0, skipped: 0, faults: [] };
  for (const scenario of ran) {
    const checks = await checksOf(scenario, outdir);
    const counts = STATUSES.map((wanted) => checks.filter(({ status }) => status === wanted).length);
    const faults = faultsOf(scenario, checks);
    const excuse = notCarried[scenario];
    const excused = ({ id }) => excuse && (excuse.checks?.includes(id) ?? true);
    const counted = faults.filter((fault) => !excused(fault));
    const verdict =
      counted.length > 0 ? 'FAILED' : faults.length > 0 ? `not carried: ${excuse.because}` : 'passed';
    console.log(`${scenario.padEnd(width)}${row(counts)}  ${verdict}`);
    for (const { line } of counted) console.log(`    ${line}`);
    if (only) for (const { status, id } of checks) console.log(`    ${status} ${id}`);
    all.faults.push(...counted.map(({ line }) => `${scenario}: ${line}`));
    if (excuse && faults.length === 0) all.faults.push(`${scenario} is carried, against bridge.mjs`);
    all.passed += counts[0];
    all.skipped += counts[3];
  }
  return all;
}

async function run(options) {
  const bridge = options.command && await startBridge(options.command, options.requirements);
  try {
    const url = bridge ? bridge.url : options.url;
    // Some scenarios have no failure when nothing answers.
    await fetch(url).catch((error) => {
      throw new NotRun(`nothing answers at ${url}: ${error.cause ?? error}`);
    });
    const missing = await missingFixtures(url, options.requirements);
    await rm(options.outdir, { recursive: true, force: true });
    const ran = await suite(url, options);
    const { passed, skipped, faults } = await judge(ran, options);
    faults.push(...missing.map((fixture) => `there is no fixture of ${fixture}`));
    if (!options.only) {
      const known = SCENARIOS[options.requirements];
      const absent = known.filter((scenario) => !ran.includes(scenario));
      const unknown = ran.filter((scenario) => !known.includes(scenario));
      faults.push(...absent.map((scenario) => `${scenario} did not run`));
      faults.push(...unknown.map((scenario) => `${scenario} is not in suite.mjs`));
    }
    console.log(`${options.requirements}: ${ran.length} scenarios, ${passed} checks passed, ` +
      `${skipped} skipped, ${faults.length} faults`);
    for (const fault of faults) console.error(`conformance: ${fault}`);
    process.exitCode = faults.length > 0 ? 1 : 0;
  } finally {
    await bridge?.stop();
  }
}

try {
  await run(parseArguments());
} catch (error) {
  console.error(`conformance: ${error.cause ? `${error.message}: ${error.cause}` : error.message}`);
  process.exitCode = error instanceof NotRun ? 2 : 1;
}
