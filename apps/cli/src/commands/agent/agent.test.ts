import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { completeCommands } from '../registry.ts'
import { startTestRig, type TestRig, widestOf } from '../test-app.ts'

let rig: TestRig
beforeAll(async () => {
  rig = await startTestRig()
}, 60_000)
afterAll(() => rig[Symbol.asyncDispose]())

describe('agents', () => {
  test('are one at first; of several one is chosen, and a new session begins', async () => {
    const { run, choices, lists, app } = rig.createApp()
    expect(await run('/agent')).toContain('is the only agent')
    const boss = rig.clientOf('boss')
    await boss.agents.create({ assistant_id: 'sales', name: 'Sales', description: 'Sells.' })
    choices.push('Sales')
    expect(await run('/agent')).toContain('you talk with Sales')
    expect(lists[0]?.slice(1)).toEqual([
      expect.stringMatching(/^DataAgent \| in use · demo/),
      expect.stringMatching(/^Sales \| demo\S* · Sells\.$/),
    ])
    expect(app.assistant_id).toBe('sales')
    expect(await run('/agent defa')).toContain('DataAgent')
    expect(await run('/agent nobody')).toContain('[warn] There is no agent nobody')
  })
})

describe('the model', () => {
  test('belongs to the agent: a user sees it, and who may change it', async () => {
    const { run } = rig.createApp()
    const told = await run('/model demo')
    expect(told).toContain('DataAgent uses demo')
    expect(told).toContain('only administrators change it')
  })

  test('is changed by an administrator who says yes', async () => {
    const { run, confirmations, questions, choices, client } = rig.createApp({ as: 'boss' })
    expect(await run('/model')).toContain('It is the only one')
    await client.modelProviders.create({
      ...{ provider_id: 'house', name: 'House', kind: 'openai' },
      ...{ base_url: 'http://127.0.0.1:9/v1', models: ['small', 'large'] },
    })
    choices.push('house:small')
    expect(await run('/model')).toContain('Nothing was changed')
    confirmations.push(true)
    expect(await run('/model larg')).toContain('uses house:large from the next turn on')
    expect(questions.at(-1)).toContain('for everybody')
    const { model } = await client.agents.get('default')
    expect(model).toBe('house:large')
    expect(await run('/model house')).toContain('may be several: house:small, house:large')
    expect(await run('/model unheard')).toContain('no model unheard')
    confirmations.push(true)
    expect(await run('/model default')).toMatch(/uses house:small from/)
    expect((await client.agents.get('default')).model).toBeNull()
  })
})

describe('memory', () => {
  test('is shown, and forgotten one by one or as a whole [D34.4]', async () => {
    const { run, talk, client, confirmations, app } = rig.createApp()
    expect(await run('/memory')).toContain('It remembers nothing of you')
    await talk('Remember that I drink tea')
    await talk('Remember that I live in Graz')
    const shown = await run('/memory show')
    expect(shown).toMatch(/1 {2}.*Graz/)
    expect(shown).toMatch(/2 {2}.*tea/)
    expect(await run('/memory forget')).toContain('Use: /memory forget N')
    expect(await run('/memory forget 9')).toContain('There is no fact 9')
    expect(await run('/memory forget 1')).toMatch(/Forgotten: .*Graz/)
    const { assistant_id } = app
    expect((await client.memory.list({ assistant_id })).facts).toHaveLength(1)
    expect(await run('/memory clear')).toContain('Nothing was changed')
    confirmations.push(true)
    expect(await run('/memory clear')).toContain('remembers nothing of you now')
    expect((await client.memory.list({ assistant_id })).facts).toEqual([])
    expect(await run('/memory erase')).toContain('[warn] Use:')
  })
})

describe('files', () => {
  test('are listed, and one is shown without what a terminal would obey', async () => {
    const { run, client, app } = rig.createApp()
    expect(await run('/files')).toContain('outputs/')
    expect(await run('/files outputs')).toBe('[info] outputs is empty.')
    await client.files.write('notes.txt', 'one\n\u001b[31mtwo\u001b]0;x\u0007\n')
    await client.files.write('data/rows.csv', `${'x'.repeat(100)}\n`.repeat(300))
    await client.files.write('data/photo.bin', new Uint8Array([1, 0, 2]))
    const list = await run('/files')
    expect(list).toMatch(/data\/\n.*files\/\n.*\d+ B {2}just now {2}notes\.txt/)
    expect(widestOf(list)).toBeLessThanOrEqual(60)
    expect(await run('/files notes.txt')).toMatch(/^notes\.txt · .*\none\ntwo$/)
    expect(await run('/files data')).toContain('data/rows.csv')
    expect(await run('/files data/rows.csv')).toContain('… 100 more lines')
    expect(await run('/files data/photo.bin')).toContain('is not text')
    expect(await run('/files ../secret')).toContain('[warn] There is no file ../secret')
    await client.files.write('data/\u001b[31mred.txt', 'x')
    const query = { kind: 'argument', text: 'data/', before: '/files' } as const
    const found = await completeCommands(query, app, app.signal)
    expect(found.map(({ value }) => value)).toEqual(['data/photo.bin', 'data/rows.csv'])
    expect(await run('/files none.txt')).toContain('[warn] There is no file none.txt')
  })
})
