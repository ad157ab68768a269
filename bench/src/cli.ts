import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleProgram } from './cli/bundle.ts'
import type { StreamReport, StreamSetting } from './cli/contract.ts'
import { openTerminal } from './cli/terminal.ts'
import {
  type Benchmark,
  type PrepareContext,
  type Prepared,
  prepareWith,
  type Spent,
  type Subject,
} from './harness.ts'

const root = join(import.meta.dirname, '../..')
const piTui = 'pi-tui alone'

/** How long until something can be typed, and what a streamed answer costs below a long history. */
export const benchmark: Benchmark = {
  description:
    'start of dataagent, and a streamed answer by lines of history: pi-tui, Ink, bare Node',
  sizes: [0, 1_000, 10_000, 100_000],
  rounds: 5,
  prepare: prepareWith(prepare),
}

async function prepare(
  { size, quick }: PrepareContext,
  cleanup: AsyncDisposableStack,
): Promise<Prepared> {
  const dir = await mkdtemp(join(tmpdir(), 'bench-cli-'))
  cleanup.defer(() => rm(dir, { recursive: true, force: true }))
  // What is not in a package would be taken for CommonJS first.
  await writeFile(join(dir, 'package.json'), '{"type":"module"}')
  await mkdir(join(dir, 'work'))
  const programs = {
    piTui: await bundleProgram('pi-tui-main', dir),
    ink: await bundleProgram('ink-main', dir),
    node: await bundleProgram('node-main', dir),
    nodeStream: await bundleProgram('node-stream-main', dir),
  }
  const streams = streamSubjects({ dir, programs, size, quick })
  // How long a start takes does not depend on any history.
  return { subjects: size === 0 ? [...startSubjects(dir, programs), ...streams] : streams }
}

interface Programs {
  piTui: string
  ink: string
  node: string
  nodeStream: string
}

/** A frame is complete: pi-tui and we tell the terminal so. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
const frame = /\x1b\[\?2026l/
const prompt = />\s/

function startSubjects(dir: string, { piTui: editor, ink, node }: Programs): Subject[] {
  const launcher = join(root, 'scripts/dataagent.mjs')
  const start = (name: string, command: string[], ready: RegExp): Subject => ({
    ...{ name: `start of ${name}`, count: 1 },
    run: () => untilPrompt({ dir, command, ready }),
  })
  const baseline = `start of ${piTui}`
  return [
    start(piTui, [editor], frame),
    { ...start('dataagent', [launcher], frame), baseline },
    { ...start('Ink', [ink], prompt), baseline },
    { ...start('bare Node', [node], prompt), baseline },
  ]
}

async function untilPrompt(options: {
  dir: string
  command: string[]
  ready: RegExp
}): Promise<Spent> {
  const { dir, command, ready } = options
  const start = performance.now()
  await using terminal = openTerminal({
    ...{ command: [process.execPath, ...command], cwd: join(dir, 'work'), env: ownHome(dir) },
  })
  await terminal.until(ready)
  const wall = (performance.now() - start) * 1000
  return { wall, cpu: await terminal.cpu() }
}

interface StreamOptions {
  dir: string
  programs: Programs
  size: number
  quick: boolean
}

function streamSubjects({ dir, programs, size, quick }: StreamOptions): Subject[] {
  const updates = quick ? 20 : 300
  const setting: StreamSetting = {
    ...{ history: size, updates, paceMs: 10, report: join(dir, 'report.json') },
  }
  const stream = (name: string, program: string[]): Subject => ({
    ...{ name: `answer by ${name}`, count: updates },
    run: () => untilAnswered(dir, [...program, JSON.stringify(setting)], setting.report),
  })
  const own = ['--conditions=dataagent-source', join(import.meta.dirname, 'cli/ours-main.ts')]
  const baseline = `answer by ${piTui}`
  return [
    stream(piTui, [programs.piTui]),
    { ...stream('dataagent', [...own, join(root, 'apps/cli/src')]), baseline },
    { ...stream('Ink', [programs.ink]), baseline },
    { ...stream('bare Node', [programs.nodeStream]), baseline },
  ]
}

async function untilAnswered(dir: string, command: string[], report: string): Promise<Spent> {
  await rm(report, { force: true })
  await using terminal = openTerminal({
    ...{ command: [process.execPath, ...command], cwd: join(dir, 'work'), env: ownHome(dir) },
  })
  await terminal.ended
  const told = await readFile(report, 'utf8').catch(() => {
    throw new Error(`${command[0]} has drawn nothing: ${terminal.output().slice(-500)}`)
  })
  return JSON.parse(told) as StreamReport
}

/** Nothing of the machine's user is read or written; compiled code is kept for all alike. */
const ownHome = (dir: string) => ({
  ...{ HOME: dir, DATAAGENT_DATA_DIR: join(dir, 'data'), LANG: 'C.UTF-8' },
  NODE_COMPILE_CACHE: join(dir, 'compiled'),
})
