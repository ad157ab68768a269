import { describe, expect, test } from 'vitest'
import type { Theme } from './contract.ts'
import { createTheme } from './theme.ts'

const create = (env: Record<string, string>, isTty = true) => createTheme({ env, isTty })
const paintsOf = (theme: Theme) =>
  Object.values(theme).filter(
    (value): value is (text: string) => string => typeof value === 'function',
  )

describe('colours', () => {
  test.each([
    [{ TERM: 'xterm' }, '\u001b[31mx\u001b[39m'],
    [{ TERM: 'xterm-256color' }, '\u001b[38;5;203mx\u001b[39m'],
    [{ TERM: 'xterm', COLORTERM: 'truecolor' }, '\u001b[38;2;240;113;120mx\u001b[39m'],
    [{ TERM: 'xterm', COLORTERM: '24bit', COLORFGBG: '0;15' }, '\u001b[38;2;185;28;28mx\u001b[39m'],
    [{ FORCE_COLOR: '2', TERM: 'dumb' }, '\u001b[38;5;203mx\u001b[39m'],
    [{ FORCE_COLOR: '', TERM: 'xterm-256color' }, '\u001b[31mx\u001b[39m'],
  ])('of %j', (env, painted) => {
    expect(create(env).bad('x')).toBe(painted)
  })

  test.each([
    [{ NO_COLOR: '1', FORCE_COLOR: '3' }, true],
    [{ TERM: 'dumb' }, true],
    [{ TERM: 'xterm-256color' }, false],
    [{ FORCE_COLOR: '0', TERM: 'xterm' }, true],
  ])('%j on a terminal %s: no escape at all', (env, isTty) => {
    const theme = create(env, isTty)
    expect(theme).toMatchObject({ name: 'mono', hasColor: false })
    expect(paintsOf(theme).map((paint) => paint('x'))).toEqual(paintsOf(theme).map(() => 'x'))
  })

  test('a pipe has them where they are forced', () => {
    expect(create({ FORCE_COLOR: '1' }, false).hasColor).toBe(true)
  })

  test('a style within another does not end it', () => {
    const { bad, good, heading, strong } = create({ TERM: 'xterm' })
    expect(bad(`a${good('b')}c`)).toBe('\u001b[31ma\u001b[32mb\u001b[39m\u001b[31mc\u001b[39m')
    expect(heading(`a${strong('b')}c`)).toContain('b\u001b[22m\u001b[1mc')
    expect(bad('')).toBe('')
  })
})

describe('the name', () => {
  test.each([
    ['15;0', 'dark'],
    ['0;15', 'light'],
    ['0;default;7', 'light'],
    ['12;8', 'dark'],
    ['', 'dark'],
    ['x;y', 'dark'],
  ])('by the background %j is %s', (COLORFGBG, name) => {
    expect(create({ TERM: 'xterm', COLORFGBG }).name).toBe(name)
  })

  test('that was chosen holds; mono has weight but no colour', () => {
    const env = { TERM: 'xterm', COLORFGBG: '0;15' }
    expect(createTheme({ name: 'dark', env, isTty: true }).name).toBe('dark')
    const mono = createTheme({ name: 'mono', env, isTty: true })
    expect(mono.hasColor).toBe(false)
    const codes = paintsOf(mono).flatMap((paint) => paint('x').match(/\d+/g) ?? [])
    expect(codes.every((code) => Number(code) < 30)).toBe(true)
    expect(mono.strong('x')).toBe('\u001b[1mx\u001b[22m')
  })
})

describe('signs', () => {
  test.each([
    [{ LANG: 'en_US.UTF-8' }, false],
    [{ LANG: 'zh_CN.utf8' }, false],
    [{}, false],
    [{ LANG: 'C' }, true],
    [{ LANG: 'en_US.UTF-8', LC_ALL: 'POSIX' }, true],
    [{ LANG: 'C', LC_CTYPE: 'C.UTF-8' }, false],
    [{ LANG: 'en_US.UTF-8', DATAAGENT_ASCII: '1' }, true],
  ])('of %j are ASCII: %s', (env, isAscii) => {
    const theme = create(env as Record<string, string>)
    expect(theme.isAscii).toBe(isAscii)
    expect(
      Object.values(theme.glyphs)
        .flat()
        .every((sign) => /^[ -~]+$/.test(sign)),
    ).toBe(isAscii)
  })
})
