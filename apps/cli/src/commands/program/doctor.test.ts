import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestRig, type TestRig } from '../test-app.ts'

let rig: TestRig
beforeAll(async () => {
  rig = await startTestRig()
}, 60_000)
afterAll(() => rig[Symbol.asyncDispose]())

describe('the doctor', () => {
  test.each(['en', 'zh'] as const)('looks at everything, in %s', async (lang) => {
    const { run } = rig.createApp({ lang })
    const told = await run('/doctor')
    expect(told.match(/^[✓!✗] /gm)).toHaveLength(11)
    expect(told).toContain(lang === 'en' ? 'can add a model provider' : '演示模型')
    expect(told).toContain(rig.url)
  })
})
