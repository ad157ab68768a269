import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineTool, type OwnTool } from '@dataagent/hub'
import { lastUserText, type Script, toolRounds } from '@dataagent/testkit'
import { z } from 'zod'
import type { RunPoint } from '../engine/index.ts'
import type { ExecutorMaker, TestEngineOptions } from '../engine/test-engine.ts'

/** Where the process dies: at a point of the run, or within the tool, around its effect. */
export type KillPoint = RunPoint | 'before_effect' | 'after_effect'

export interface KillScene {
  url: string
  dir: string
  /** In hexadecimal. */
  key: string
  /** The folder for compiled code. */
  cache: string
  /** The folder for the files, by the sessions' ids, that the effects are appended to. */
  effects: string
  /** The address of a module whose `maker` makes the executors. Default: ours. */
  maker?: string | undefined
}

export interface KilledRun extends KillScene {
  session_id: string
  /** Absent: whoever started it kills it, after `afterMs`. */
  at?: { point: KillPoint; time: number } | undefined
  afterMs?: number | undefined
  approves: 'everything' | 'inbox'
  /** Goes on with what another process left, in place of a turn of its own. */
  resumes?: boolean | undefined
}

type Reached = (point: KillPoint) => void

/** `append` and `send` must not run twice; `look` may; `send` asks. */
export async function toKillEngine(
  scene: KillScene,
  reached: Reached = () => {},
): Promise<TestEngineOptions> {
  const { url, dir } = scene
  const tools = [
    effectTool('append', scene, { reached }),
    effectTool('look', scene, { reached, idempotent: true }),
    effectTool('send', scene, { reached, approval: 'ask' }),
  ]
  const given = scene.maker === undefined ? undefined : await import(scene.maker)
  const maker: ExecutorMaker | undefined = given?.maker
  return { url, dir, key: Buffer.from(scene.key, 'hex'), tools, script, maker }
}

interface EffectOptions {
  reached: Reached
  idempotent?: boolean
  approval?: 'allow' | 'ask'
}

function effectTool(name: string, { effects }: KillScene, options: EffectOptions): OwnTool {
  const { reached, ...more } = options
  return defineTool({
    name,
    description: `Has the effect ${name}.`,
    input: z.object({ value: z.string() }),
    ...more,
    async run({ value }) {
      reached('before_effect')
      await appendFile(join(effects, value), `${name}\n`)
      reached('after_effect')
      return `${name} done`
    },
  })
}

/** The same in every process: it goes by what it is sent. */
const script: Script = (request) => {
  const text = lastUserText(request)
  if (!text.startsWith('Go ')) return { text: 'Goodbye.' }
  if (toolRounds(request) > 0) return { text: 'All done.' }
  const value = text.slice(3)
  return {
    text: 'I begin.',
    toolCalls: ['append', 'look', 'send'].map((name) => ({ name, arguments: { value } })),
  }
}
