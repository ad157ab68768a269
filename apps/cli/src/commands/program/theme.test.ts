import { describe, expect, test } from 'vitest'
import { createAwayApp } from '../test-app.ts'

describe('this program', () => {
  test('keeps its theme and language', async () => {
    const { run, app, choices } = createAwayApp()
    choices.push('light')
    expect(await run('/theme')).toContain('The theme is light')
    expect(await run('/theme pink')).toContain('Use: /theme [dark|light|mono]')
    expect(await run('/lang zh')).toBe('[good] 语言为中文。')
    expect(app.preferences).toMatchObject({ theme: 'light', lang: 'zh' })
    expect(await run('/lang fr')).toContain('用法')
  })

  test('opens the editor, begins anew, and ends', async () => {
    const test = createAwayApp()
    expect(await test.run('/editor')).toBe('[editor]')
    expect(await test.run('/clear')).toBe('[opened] new')
    await test.run('/exit')
    expect(test.hasQuit).toBe(true)
  })
})
