import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Approval } from '@dataagent/schema'
import { createDatabase, findService, temporaryDirectory } from '@dataagent/testkit'
import { person, startEngine, type TestEngine } from '../engine/test-engine.ts'
import { type KilledRun, type KillScene, toKillEngine } from './test-kill-scene.ts'

const program = fileURLToPath(new URL('./test-killed-run.ts', import.meta.url))

/** True where it was killed; false where it came to its end before. */
async function runUntilKilled(killed: KilledRun): Promise<boolean> {
  const child = fork(program, [JSON.stringify(killed)], {
    execArgv: ['--conditions=dataagent-source'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  child.on('message', async (said) => {
    // Nothing more happens by itself, or the moment has come.
    const isTimed = killed.at === undefined && said === 'begins'
    if (!isTimed && said !== 'hitl_request') return
    await passed(isTimed ? killed.afterMs : 300)
    child.kill('SIGKILL')
  })
  const [code, signal] = await exited
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`It ended by itself, with ${code}.`)
  return signal === 'SIGKILL'
}

/** What the session waits for, in the eyes of who may decide it. */
export async function pendingOf(
  { hub }: TestEngine,
  session_id: string,
): Promise<Approval | undefined> {
  const asked = await hub.approvals.list(person, { status: 'pending', limit: 100, offset: 0 })
  return asked.find((approval) => approval.session_id === session_id)
}

/** How often each tool had its effect. */
export type Counts = Record<string, number>

export async function effectsOf({ effects }: KillScene, session_id: string): Promise<Counts> {
  const text = await readFile(join(effects, session_id), 'utf8').catch(() => '')
  const counts: Counts = {}
  for (const name of text.split('\n').filter(Boolean)) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

/** A database, and a process on it that outlives those that are killed. */
export interface Place {
  scene: KillScene
  engine: TestEngine
}

/** SQLite and, where there is one, MariaDB. */
export async function openPlaces(maker?: URL): Promise<AsyncDisposable & { all: Place[] }> {
  const cleanup = new AsyncDisposableStack()
  const { path } = cleanup.use(await temporaryDirectory())
  const urls = [`sqlite:${join(path, 'test.db')}`]
  if (await findService('mysql')) urls.push(cleanup.use(await createDatabase('mysql')).url)
  const key = randomBytes(32).toString('hex')
  const all: Place[] = []
  for (const [i, url] of urls.entries()) {
    const dir = join(path, String(i))
    const effects = join(dir, 'effects')
    await mkdir(effects, { recursive: true })
    const scene = { url, dir, key, effects, cache: join(path, 'cache'), maker: maker?.href }
    all.push({ scene, engine: cleanup.use(await startEngine(await toKillEngine(scene))) })
  }
  return { all, [Symbol.asyncDispose]: () => cleanup.disposeAsync() }
}

type Death = Pick<KilledRun, 'at' | 'afterMs' | 'approves'>

/** A session in which a process was killed; in the end also one that went on with what was left. */
export async function killIn(
  { scene, engine }: Place,
  ...deaths: readonly Death[]
): Promise<{ session_id: string; killed: number }> {
  const session_id = await engine.createSession()
  let killed = 0
  for (const [i, death] of deaths.entries()) {
    const run = { session_id, ...death, resumes: i > 0 }
    if (await killOne(scene, run)) killed += 1
  }
  return { session_id, killed }
}

/** Whether another process was killed, which went on with what the last one had left. */
export function killResumed({ scene }: Place, session_id: string, death: Death): Promise<boolean> {
  return killOne(scene, { session_id, ...death, resumes: true })
}

async function killOne(scene: KillScene, run: Omit<KilledRun, keyof KillScene>): Promise<boolean> {
  const dir = await mkdtemp(join(scene.dir, `${run.session_id}-`))
  return runUntilKilled({ ...scene, dir, ...run })
}
