import { waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestRig, type TestRig, widestOf } from '../test-app.ts'

let rig: TestRig
beforeAll(async () => {
  rig = await startTestRig({ DATAAGENT_SAMPLES: 'on' })
  const tools = rig.clientOf('ada').tools
  const isThere = async () => (await tools.list({ q: 'mall' })).total > 2
  await waitFor(isThere, { timeoutMs: 60_000, what: 'tools of the mall' })
}, 90_000)
afterAll(() => rig[Symbol.asyncDispose]())

describe('tools', () => {
  test('are listed by server, with what they do and whether they ask', async () => {
    const { run } = rig.createApp()
    const list = await run('/tools')
    expect(list).toMatch(/^mall \(\d+\)$/m)
    expect(list).toMatch(/\d+ tools, \d+ of them ask first\.$/)
    expect(widestOf(list)).toBeLessThanOrEqual(60)
    expect(await run('/tools qwertz')).toContain('No tool fits “qwertz”')
  })

  test('are told one by one, with tokens for who may see them', async () => {
    const [tool] = (await rig.clientOf('ada').tools.list({ q: 'mall', limit: 1 })).tools
    const name = tool?.sdk_name ?? ''
    expect(await rig.createApp().run(`/tools ${name}`)).toContain(name)
    const { run } = rig.createApp({ as: 'boss', lang: 'zh' })
    expect(await run(`/tools ${name}`)).toMatch(/约占提示 \S+ 个token/)
  })

  test.each(['en', 'zh'] as const)('are explained by the policy in %s', async (lang) => {
    const { run, choices } = rig.createApp({ lang })
    choices.push('mall.')
    const told = await run('/policy')
    expect(told).toMatch(lang === 'en' ? /^mall\.\S+ (runs at once|asks first)/ : /直接运行|先询问/)
    expect(told).toContain(lang === 'en' ? '(decides)' : '决定')
    expect(widestOf(told)).toBeLessThanOrEqual(60)
    expect(await run('/policy nothing.here')).toContain('[warn]')
  })
})

describe('approval', () => {
  test('is asked for, or given by itself until told otherwise', async () => {
    const { run, app, choices } = rig.createApp()
    expect(await run('/approve')).toContain('as the policy says')
    expect(await run('/approve auto')).toMatch(/^\[warn\] .*denials hold/)
    expect(app.status.approval).toBe('auto')
    choices.push('ask me')
    expect(await run('/approve')).toContain('[info]')
    expect(app.status.approval).toBe('ask')
    expect(await run('/approve never')).toContain('Use: /approve [ask|auto]')
  })
})
