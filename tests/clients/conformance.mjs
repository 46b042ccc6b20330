// The MCP conformance suite against a running host: every scenario it ran, and what came of it.
//
//   conformance.mjs URL REQUIREMENTS OUTDIR
//
// URL must name `localhost` (the DNS rebinding scenario asks for it), REQUIREMENTS is 2025-11-25
// or 2026-07-28. The suite's files go to OUTDIR/REQUIREMENTS. The last line is JSON:
//
//   {"passed":[...],"untested":[...],"failed":[...]}
//
// `untested` are the scenarios in which no check failed and none passed either, save the one on
// message schemas that each scenario has: the suite calls them green, but it looked at nothing.
// Exits 0 when the suite ran to its end, whatever passed;
// 2 when it did not.

import { spawn } from 'node:child_process';
import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { node22, nodeModules } from './snippets.mjs';

// A whole run takes about two seconds. A host that does not answer costs each scenario its
// timeout, one after the other; the deadline ends that.
const SCENARIO_TIMEOUT_MS = 10_000;
const DEADLINE_MS = 240_000;
const STATUSES = ['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED', 'INFO'];

function fail(message) {
  console.error(`conformance: ${message}`);
  process.exit(2);
}

// Runs the suite, returns its stdout.
function suite(url, requirements, outdir) {
  const index = join(nodeModules, '@modelcontextprotocol/conformance/dist/index.js');
  const args = ['server', '--url', url, '--requirements', requirements, '-o', outdir,
    '--timeout', String(SCENARIO_TIMEOUT_MS)];
  return new Promise((resolve) => {
    const child = spawn(node22, [index, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => { stdout += chunk; });
    child.stderr.setEncoding('utf8').on('data', (chunk) => { stderr += chunk; });
    child.on('error', (error) => fail(`cannot run ${node22}: ${error.message}`));
    const deadline = setTimeout(() => {
      child.kill('SIGKILL');
      fail(`no end after ${DEADLINE_MS / 1000} s; the last lines:\n${stdout.slice(-2000)}`);
    }, DEADLINE_MS);
    child.on('close', (code) => {
      clearTimeout(deadline);
      // 1 says that something failed, which the checks tell in detail.
      if (code !== 0 && code !== 1) fail(`the suite ended with ${code}:\n${stderr.slice(-2000)}`);
      if (!stdout.includes('=== SUMMARY ===')) fail(`the suite has no summary:\n${stdout}${stderr}`);
      resolve(stdout);
    });
  });
}

// The checks of each scenario, from `OUTDIR/server-SCENARIO-TIME/checks.json`.
async function checksOf(scenarios, outdir) {
  const folders = await readdir(outdir);
  const stamped = /^server-(.+)-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d+Z$/;
  return Promise.all(scenarios.map(async (scenario) => {
    const folder = folders.find((name) => stamped.exec(name)?.[1] === scenario);
    try {
      return JSON.parse(await readFile(join(outdir, folder, 'checks.json'), 'utf8'));
    } catch {
      // The scenario threw, or it left nothing: not to be hidden.
      return [{ status: 'FAILURE', id: 'no-checks', errorMessage: 'the suite left no checks.json' }];
    }
  }));
}

const [url, requirements, parent, ...others] = process.argv.slice(2);
if (!parent || others.length > 0) {
  console.error('usage: conformance.mjs URL REQUIREMENTS OUTDIR');
  process.exit(2);
}
// Some scenarios have no failure when nothing answers.
await fetch(url).catch((error) => fail(`nothing answers at ${url}: ${error.cause ?? error}`));
const outdir = join(parent, requirements);
await rm(outdir, { recursive: true, force: true });
const stdout = await suite(url, requirements, outdir);

const scenarios = [...stdout.matchAll(/^=== Running scenario: (.+) ===$/gm)].map((found) => found[1]);
const announced = Number(/^Running requirements \S+ \((\d+) scenarios\)/m.exec(stdout)?.[1]);
if (scenarios.length !== announced) {
  fail(`the suite announced ${announced} scenarios and ran ${scenarios.length}`);
}
const notScored = new Set(
  [...stdout.matchAll(/^ {2}[✓✗] (\S+) \([a-z-]+\)$/gm)].map((found) => found[1]));

const outcome = { passed: [], untested: [], failed: [] };
const width = Math.max(...scenarios.map((scenario) => scenario.length));
const row = (cells) => cells.map((cell) => String(cell).padStart(8)).join('');
console.log(`${requirements}`.padEnd(width) +
  row(['passed', 'failed', 'warned', 'skipped', 'info']));
for (const [index, checks] of (await checksOf(scenarios, outdir)).entries()) {
  const scenario = scenarios[index];
  const counts = STATUSES.map((status) => checks.filter((check) => check.status === status).length);
  const tested = checks.some(({ status, id }) => status === 'SUCCESS' && id !== 'wire-schema-valid');
  const verdict = counts[1] > 0 ? 'failed' : tested ? 'passed' : 'untested';
  outcome[verdict].push(scenario);
  console.log(scenario.padEnd(width) + row(counts) + `  ${verdict}` +
    (notScored.has(scenario) ? ', not scored' : ''));
  for (const check of checks.filter((check) => check.status === 'FAILURE')) {
    console.log(`    ${check.id}: ${String(check.errorMessage).split('\n')[0].slice(0, 300)}`);
  }
}
console.log(JSON.stringify(outcome));
