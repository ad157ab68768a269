import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { execPath, exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/**
 * @typedef {{ name: string, command: [string, ...string[]], fix: string }} Check
 * @typedef {{ check: Check, ok: boolean, output: string }} Result
 */

const format = 'npm run format mends what can be mended'
const testDuplicates = [
  ...['--pattern', '**/{*.test,test-*,describe-*}.ts', '--ignore', '**/node_modules/**,**/dist/**'],
  ...['--min-lines', '25', '--min-tokens', '200'],
]

/** The slow ones first. @type {Check[]} */
const checks = [
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json'], fix: 'correct the types' },
  {
    name: 'unused',
    command: ['knip', '--no-progress', '--no-config-hints'],
    fix: 'remove it, or no longer export it',
  },
  {
    name: 'types (browser)',
    command: ['tsc', '-p', 'tsconfig.browser.json'],
    fix: 'correct the types',
  },
  { name: 'lint', command: ['biome', 'ci', '--colors=off', '--error-on-warnings'], fix: format },
  {
    name: 'boundaries',
    command: ['node', 'scripts/checks/boundaries.mjs'],
    fix: 'see scripts/checks/boundaries/rooms.mjs',
  },
  { name: 'style', command: ['node', 'scripts/checks/style.mjs'], fix: format },
  { name: 'duplicates', command: ['jscpd', '--no-colors'], fix: 'give the shared part a name' },
  {
    name: 'duplicates (tests)',
    command: ['jscpd', '--no-colors', ...testDuplicates],
    fix: 'make it a builder of the testkit',
  },
]

const root = fileURLToPath(new URL('..', import.meta.url))
const failed = (await runLimited(checks, 2)).filter(({ ok }) => !ok)
for (const { check, output } of failed) {
  console.log(`\n── ${check.name}: ${check.command.join(' ')}\n${output.trim()}\n→ ${check.fix}`)
}
exit(failed.length === 0 ? 0 : 1)

/** @returns {Promise<Result[]>} */
async function runLimited(/** @type {Check[]} */ list, /** @type {number} */ limit) {
  const waiting = [...list]
  /** @type {Result[]} */
  const results = []
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results.push(await run(next))
  }
  await Promise.all(Array.from({ length: limit }, work))
  return results
}

/** @returns {Promise<Result>} */
async function run(/** @type {Check} */ check) {
  const start = performance.now()
  const { ok, output } = await execute(check.command)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${ok ? '✓' : '✗'} ${check.name.padEnd(20)} ${seconds} s`)
  return { check, ok, output }
}

async function execute(/** @type {Check['command']} */ [tool, ...args]) {
  const file = tool === 'node' ? execPath : join(root, 'node_modules/.bin', tool)
  try {
    await promisify(execFile)(file, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 })
    return { ok: true, output: '' }
  } catch (error) {
    const { stdout, stderr, message } = Object(error)
    return { ok: false, output: `${stdout}${stderr}` || message }
  }
}
