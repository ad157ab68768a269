import { mkdir, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { createEgress, type Egress } from '@dataagent/guard'
import {
  createCanary,
  type ModelStandIn,
  startModelStandIn,
  temporaryDirectory,
} from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readAnswer } from '../models/index.ts'
import { createSessionState, withAutoApprove, withServersOff } from './session-state.ts'
import { createSettings, type SettingsOptions } from './settings.ts'
import { settingsSchema } from './settings-schema.ts'

const hello = { system: '', messages: [{ role: 'user', content: 'hi' } as const], tools: [] }

let egress: Egress
let standIn: ModelStandIn
beforeAll(async () => {
  egress = createEgress({ policy: { mode: 'public' } })
  standIn = await startModelStandIn()
})
afterAll(async () => {
  await egress.close()
  await standIn[Symbol.asyncDispose]()
})

const settings = (env: Record<string, string>, more: Partial<SettingsOptions> = {}) =>
  createSettings({ env, egress, root: '/nowhere', ...more })

describe('settings', () => {
  test('have a default and a description each [D6.1] [D6.4]', () => {
    const { values } = settings({})
    expect(values).toEqual({
      OPENAI_BASE_URL: 'https://api.openai.com/v1',
      ANTHROPIC_BASE_URL: 'https://api.anthropic.com',
    })
    for (const field of Object.values(settingsSchema.shape)) expect(field.description).toBeTruthy()
  })

  test('hold keys as secrets', () => {
    const key = createCanary('key')
    const made = settings({ OPENAI_API_KEY: key.apiKey, TAVILY_API_KEY: key.apiKey })
    expect(made.values.TAVILY_API_KEY?.reveal()).toBe(key.apiKey)
    expect(inspect(made, { depth: 9 }) + JSON.stringify(made)).not.toContain(key.marker)
  })

  test('that do not fit stop the start and name the variable, not its value', () => {
    expect(() => settings({ OPENAI_BASE_URL: 'ftp://secret.example' })).toThrow(
      expect.objectContaining({
        code: 'config_invalid',
        message: expect.stringMatching(/OPENAI_BASE_URL(?!.*secret)/),
      }),
    )
  })

  test('take an empty value for none', () => {
    expect(settings({ OPENAI_API_KEY: ' ', DATAAGENT_MODEL: '' }).model).toBe('demo')
  })
})

describe('the model', () => {
  test('is the demo without any key, and that is said in both languages [D6.4]', async () => {
    for (const env of [{}, { DATAAGENT_MODEL: 'openai:gpt-5' }]) {
      const made = settings(env)
      const answer = await readAnswer(made.createModel().stream(hello, undefined))
      expect(answer.text).not.toBe('')
      expect(made.modelNotice?.en).toContain('demo model')
      expect(made.modelNotice?.zh).toContain('演示模型')
    }
  })

  test.each([
    [{ OPENAI_API_KEY: 'k' }, 'openai:gpt-5-mini', 400_000],
    [{ ANTHROPIC_API_KEY: 'k' }, 'anthropic:claude-sonnet-4-5', 200_000],
    [
      { OPENAI_API_KEY: 'k', DATAAGENT_MODEL: 'openai:gpt-4o-2024-08-06' },
      'openai:gpt-4o-2024-08-06',
      128_000,
    ],
    [
      { OPENAI_BASE_URL: 'http://localhost:11434/v1', DATAAGENT_MODEL: 'openai:llama3:8b' },
      'openai:llama3:8b',
      131_072,
    ],
  ])('of %o is %s', (env, name, contextWindow) => {
    const made = settings(env)
    expect(made.createModel()).toMatchObject({ name, contextWindow })
    expect(made.modelNotice).toBeUndefined()
  })

  test.each(['gemini:pro', 'gpt-5', 'openai:', ''])(
    '%j is refused with the providers there are [D6.2]',
    (name) => {
      expect(() => settings({ OPENAI_API_KEY: 'k' }).createModel(name)).toThrow(
        expect.objectContaining({
          code: 'config_invalid',
          message: expect.stringContaining('openai, anthropic, demo'),
        }),
      )
    },
  )

  test('of a provider without its key is refused by the name of the variable', () => {
    expect(() => settings({ OPENAI_API_KEY: 'k' }).createModel('anthropic:claude')).toThrow(
      /ANTHROPIC_API_KEY/,
    )
  })

  test('can be one that calls tools by its text [B6.1]', async () => {
    const name = 'openai:standin-textcalls-tools1'
    const made = settings(
      { OPENAI_API_KEY: standIn.apiKey, OPENAI_BASE_URL: `${standIn.url}/v1` },
      { models: { 'openai:standin-textcalls': { context_window: 4_096, calls_tools: false } } },
    )
    const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }]
    const model = made.createModel(name)
    expect(model).toMatchObject({ contextWindow: 4_096, callsTools: true })
    const answer = await readAnswer(model.stream({ ...hello, tools }, undefined))
    expect(answer).toMatchObject({ text: '', calls: [{ name: 'look' }] })
    expect(standIn.requests.at(-1)?.body).not.toHaveProperty('tools')
  })

  test('can cost something', () => {
    const price = { prompt: 1, completion: 2 }
    const made = settings(
      { OPENAI_API_KEY: 'k' },
      { models: { 'openai:plain': { context_window: 4_096, price } } },
    )
    expect(made.priceOf('openai:plain-7b')).toEqual(price)
    expect(made.priceOf('openai:gpt-5')).toBeUndefined()
    expect(() => settings({}, { models: { 'openai:x': { context_window: -1 } } })).toThrow(
      /openai:x.*context_window/,
    )
  })

  test.each(['openai', 'anthropic'])(
    'of %s answers, also on the own machine [D6.1] [D6.2]',
    async (provider) => {
      const made = settings({
        OPENAI_API_KEY: standIn.apiKey,
        OPENAI_BASE_URL: `${standIn.url}/v1`,
        ANTHROPIC_API_KEY: standIn.apiKey,
        ANTHROPIC_BASE_URL: standIn.url,
      })
      const model = made.createModel(`${provider}:standin`)
      expect((await readAnswer(model.stream(hello, undefined))).text).toBe('You said: hi')
      expect(made.createModel(`${provider}:standin`)).toBe(model)
    },
  )

  test('of a list is the next where one is out', async () => {
    const made = settings({
      OPENAI_API_KEY: standIn.apiKey,
      OPENAI_BASE_URL: `${standIn.url}/v1`,
      DATAAGENT_MODEL: 'openai:standin-err401, openai:standin',
    })
    const answer = await readAnswer(made.createModel().stream(hello, undefined))
    expect(answer).toMatchObject({ text: 'You said: hi', model: 'openai:standin' })
  })
})

describe("an agent's folder [D6.3]", () => {
  test('is made once and inside of the root, whatever the id', async () => {
    await using directory = await temporaryDirectory()
    const { ensureAgentDir } = settings({}, { root: directory.path })
    const ids = ['coder', '../../etc', 'a/b', '.', '..', 'A', 'a', 'x\u0000y', '数据']
    const paths = await Promise.all(ids.map((id) => ensureAgentDir(id)))
    expect(new Set(paths).size).toBe(ids.length)
    for (const path of paths) {
      expect(join(path, '..')).toBe(join(directory.path, 'agents'))
      expect((await stat(path)).isDirectory()).toBe(true)
    }
    expect(await ensureAgentDir('coder')).toBe(join(directory.path, 'agents', 'coder'))
  })

  test('is no link, and belongs to an id', async () => {
    await using directory = await temporaryDirectory()
    await mkdir(join(directory.path, 'agents'))
    await symlink('/etc', join(directory.path, 'agents', 'coder'))
    const { ensureAgentDir } = settings({}, { root: directory.path })
    await expect(ensureAgentDir('coder')).rejects.toMatchObject({ code: 'path_denied' })
    await expect(ensureAgentDir('')).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(ensureAgentDir('x'.repeat(300))).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describe("a session's state [D6.5]", () => {
  test('has a thread of its own and approves nothing by itself', () => {
    const [one, two] = [createSessionState(), createSessionState()]
    expect(one.thread_id).not.toBe(two.thread_id)
    expect(one.auto_approve).toBe(false)
    expect(withAutoApprove(one, true)).toEqual({ ...one, auto_approve: true })
    expect(two.auto_approve).toBe(false)
  })

  test('has servers switched off, each once, and none again', () => {
    const state = createSessionState()
    const off = withServersOff(state, ['a', 'b', 'a'])
    expect(off).toEqual({ ...state, servers_off: ['a', 'b'] })
    expect(withServersOff(off, [])).toEqual(state)
  })
})
