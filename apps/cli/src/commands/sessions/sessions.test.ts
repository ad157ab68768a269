import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestRig, type TestRig, widestOf } from '../test-app.ts'

let rig: TestRig
beforeAll(async () => {
  rig = await startTestRig()
}, 60_000)
afterAll(() => rig[Symbol.asyncDispose]())

const evil = 'Rain \u001b]0;owned\u0007\u001b[31min May'

describe('before anything was said', () => {
  test.each([
    ...['/sessions', '/resume last', '/export', '/compact', '/trace', '/copy', '/context'],
  ])('%s is friendly', async (line) => {
    for (const lang of ['en', 'zh'] as const) {
      const { run } = rig.createApp({ as: 'boss', lang })
      expect(await run(line)).toMatch(/^\[info\] \S/)
    }
  })

  test('/cost says that nothing was spent', async () => {
    expect(await rig.createApp({ as: 'boss' }).run('/cost')).toContain('nothing yet')
  })
})

describe('sessions', () => {
  test('are listed with title, age, state and agent, and one is opened', async () => {
    const { talk, run, choices, lists, client, app } = rig.createApp()
    await talk('hello')
    await client.sessions.update(app.session?.session_id ?? '', { title: evil })
    await app.open(undefined)
    await talk('How are you?')
    choices.push('Rain')
    expect(await run('/sessions')).toBe(`[opened] ${evil}`)
    const [list = []] = lists
    expect(list.slice(1)).toEqual([
      'How are you? | just now · default · open now',
      'Rain in May | just now · default',
    ])
  })

  test('are found by a text, and by pages', async () => {
    const { run, choices, lists, client } = rig.createApp()
    expect(await run('/sessions nowhere')).toContain('No session holds “nowhere”')
    for (let at = 0; at < 31; at += 1) await client.sessions.create({ title: `Note ${at}` })
    choices.push('older', 'Note 0')
    expect(await run('/sessions Note')).toBe('[opened] Note 0')
    expect(lists.map((list) => list.length)).toEqual([32, 2])
    expect(lists[0]?.at(-1)).toContain('older ones (1)')
  })

  test('are resumed by title, by id and as the last', async () => {
    const { run, client, app, lists } = rig.createApp()
    const { session_id } = await client.sessions.create({ title: 'Harvest of June' })
    expect(await run('/resume harvest')).toBe('[opened] Harvest of June')
    expect(await run('/resume harvest')).toContain('open already')
    expect(await run('/resume last')).not.toContain('Harvest')
    expect(await run(`/resume ${session_id}`)).toBe('[opened] Harvest of June')
    expect(await run(`/resume ${session_id.slice(0, 8)}`)).toContain('open already')
    expect(await run('/resume unheard of')).toContain('[warn]')
    expect(app.session?.session_id).toBe(session_id)
    await client.sessions.create({ title: 'Harvest of July' })
    await run('/resume harvest')
    expect(lists.at(-1)).toHaveLength(3)
  })
})

test('a session that waits for you says so, and is not summarised meanwhile', async () => {
  const boss = rig.clientOf('boss')
  await boss.agents.create({ assistant_id: 'shell', name: 'Shell', enable_shell: true })
  const { run, lists, client, app } = rig.createApp()
  const { session_id } = await client.sessions.create({ assistant_id: 'shell', title: 'Asks' })
  const asked = Promise.withResolvers<void>()
  using socket = client.connect(session_id, {
    onEvent: ({ event_type }) => event_type === 'hitl_request' && asked.resolve(),
  })
  await socket.send('Run the command `ls`').accepted
  await asked.promise
  await run('/sessions Asks')
  expect(lists[0]?.[1]).toBe('Asks | just now · waiting for you · shell')
  await app.open(session_id)
  expect(await run('/compact')).toContain('[warn] A turn is under way')
  await client.chat.cancel(session_id)
})

describe('one session', () => {
  test('is exported into the folder, and replaces a file only when told to', async () => {
    const { talk, run, confirmations, questions, client, app } = rig.createApp()
    await talk('hello')
    await client.sessions.update(app.session?.session_id ?? '', { title: 'Über: Äpfel / 苹果' })
    await app.open(app.session?.session_id)
    expect(await run('/export')).toContain('Saved as über-äpfel-苹果.md')
    const file = join(rig.folder, 'über-äpfel-苹果.md')
    expect(await readFile(file, 'utf8')).toContain('hello')
    await writeFile(file, 'mine')
    expect(await run('/export')).toContain('Nothing was changed')
    expect(await readFile(file, 'utf8')).toBe('mine')
    expect(questions).toEqual(['über-äpfel-苹果.md is there already. Replace it?'])
    confirmations.push(true)
    await run('/export')
    expect(await readFile(file, 'utf8')).toContain('# Über')
    expect(await run('/export log json')).toContain('Saved as log.json')
    const log = JSON.parse(await readFile(join(rig.folder, 'log.json'), 'utf8'))
    expect(log.events.at(-1)).toMatchObject({ event_type: 'done' })
  })

  test.each(['../out.md', '/etc/out.md', 'a/../../out.md'])(
    'is not exported to %s',
    async (path) => {
      const { talk, run } = rig.createApp()
      await talk('hello')
      expect(await run(`/export ${path}`)).toContain('is not in this folder')
    },
  )

  test('is summarised by the platform, and its context is told before and after', async () => {
    const { talk, run } = rig.createApp()
    await talk('hello')
    expect(await run('/compact')).toContain('too little')
    for (let at = 0; at < 3; at += 1) await talk(`Note ${at}: ${'rain and sun '.repeat(120)}`)
    const before = await run('/context')
    expect(before).toMatch(/tokens\n {2}system prompt .*\n {2}tools .*\n {2}messages .*\n {2}free/)
    expect(widestOf(before)).toBeLessThanOrEqual(60)
    const told = await run('/compact')
    expect(told).toMatch(/\[good\] Summarised: about \S+ tokens are now \S+\./)
    expect(await run('/context')).not.toBe(before)
  })

  test('has a cost and a trace', async () => {
    const { talk, run } = rig.createApp({ lang: 'zh' })
    await talk('hello')
    const cost = await run('/cost')
    expect(cost).toMatch(/本会话\n {2}模型 .*\n {2}demo\S* +1 /)
    expect(cost).toContain('今日')
    expect(cost).not.toContain('每轮')
    const trace = await run('/trace')
    expect(trace).toMatch(/user_message +hello/)
    expect(trace).toMatch(/\n.*done\nrun \S+\n/)
    expect(Math.max(widestOf(cost), widestOf(trace))).toBeLessThanOrEqual(60)
  })

  test('shows how its turns have grown', async () => {
    const { talk, run } = rig.createApp()
    for (const words of [1, 200, 400]) await talk(`Note: ${'rain and sun '.repeat(words)}`)
    expect(await run('/cost')).toMatch(/\n {2}tokens by turn ▁[▂-▇]█\n/)
  })

  test('that called a tool has its call and trace id', async () => {
    const { talk, run } = rig.createApp()
    await talk('List my files')
    const trace = await run('/trace')
    expect(trace).toMatch(/tool_started +\S+ \S+/)
    expect(trace).toMatch(/tool_result +ok \d+ ms/)
    await expect.poll(() => run('/trace'), { timeout: 10_000 }).toMatch(/\ntrace [0-9a-f]{32}/)
  })

  test('of an administrator says where spans go', async () => {
    const { talk, run } = rig.createApp({ as: 'boss' })
    await talk('hello')
    expect(await run('/trace')).toMatch(/Spans are not sent: \S*OTLP_ENDPOINT is not set\.$/)
  })

  test('has its last answer copied, by our own sequence alone', async () => {
    const { talk, run, clipboard } = rig.createApp()
    await talk('hello')
    expect(await run('/copy')).toMatch(/^\[good\] Copied [\d,]+ characters/)
    const [sequence = ''] = clipboard
    const text = Buffer.from(sequence.slice(7, -1), 'base64').toString()
    expect(text.length).toBeGreaterThan(10)
    const dumb = rig.createApp({ canCopy: false })
    await dumb.talk('hello')
    expect(await dumb.run('/copy')).toContain('[warn]')
  })
})
