import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '@dataagent/testkit'
import { visibleWidth } from '@earendil-works/pi-tui'
import { expect, test } from 'vitest'
import { parseBindings, readBindings, toKeyLabel } from './key-bindings.ts'
import { defaultBindings, keyTable } from './keys.ts'
import { renderKeys } from './render-keys.ts'
import { themes } from './test-screen.ts'

const parse = (json: unknown) => parseBindings(JSON.stringify(json), 'keybindings.json', 'en')

test('a file binds, binds to several keys, and unbinds', () => {
  const { bindings, warning } = parse({ plan: 'f2', expand: ['ctrl+o', 'alt+o'], '-palette': true })
  expect(warning).toBeUndefined()
  expect(bindings).toEqual({
    ...defaultBindings,
    plan: ['f2'],
    expand: ['ctrl+o', 'alt+o'],
    palette: [],
  })
})

test('a key that the file gives away is no longer that of another action', () => {
  expect(parse({ palette: 'ctrl+t' }).bindings.plan).toEqual([])
})

test.each([
  [{ plan: 'ctrl+teapot' }, '"ctrl+teapot" is no key'],
  [{ plan: 7 }, '"7" is no key'],
  [{ teapot: 'f2' }, '"teapot" is no action'],
  [{ '-quit': true }, 'Ctrl+C Ctrl+C stays'],
  [{ plan: 'ctrl+c' }, 'Ctrl+C stays'],
  [{ plan: 'f2', palette: 'f2' }, 'f2 is given twice'],
  [[], 'it is no JSON object'],
])('of %j the rest holds, and one line says what is wrong', (json, problem) => {
  const { bindings, warning } = parse(json)
  expect(warning).toContain(problem)
  expect(bindings.quit).toEqual(['ctrl+c ctrl+c'])
  expect(bindings.clear).toEqual(['ctrl+c'])
})

test('a file that is not there is no problem, one that is no JSON is one line', async () => {
  await using folder = await temporaryDirectory()
  const file = join(folder.path, 'keybindings.json')
  expect(await readBindings(file, 'en')).toEqual({ bindings: defaultBindings, warning: undefined })
  await writeFile(file, '{ "plan": ')
  const { bindings, warning } = await readBindings(file, 'zh')
  expect(bindings).toEqual(defaultBindings)
  expect(warning).toMatch(/不是 JSON 对象/)
  expect((await readBindings(folder.path, 'en')).warning).toMatch(/cannot be read/)
})

test('keys are written as people write them', () => {
  expect(['ctrl+o', 'escape escape', 'shift+tab', '?', 'up'].map(toKeyLabel)).toEqual([
    'Ctrl+O',
    'Esc Esc',
    'Shift+Tab',
    '?',
    '↑',
  ])
})

test.each(['en', 'zh'] as const)('the help in %s has every action that has a key', (lang) => {
  const { bindings } = parse({ '-palette': true, plan: 'f2' })
  const lines = renderKeys({ bindings, theme: themes.plain, lang, width: 80 })
  expect(lines).toHaveLength(keyTable.length - 1)
  expect(lines.find((line) => line.startsWith('F2'))).toContain(
    keyTable.find(({ name }) => name === 'plan')?.about[lang],
  )
})

test.each([10, 24, 40, 200])('the help fits into %i columns', (width) => {
  const lines = renderKeys({ bindings: defaultBindings, theme: themes.colored, lang: 'zh', width })
  for (const line of lines) expect(visibleWidth(line)).toBeLessThanOrEqual(width)
})

test('the help has signs of ASCII only where the terminal has no others', () => {
  const bindings = defaultBindings
  const lines = renderKeys({ bindings, theme: themes.ascii, lang: 'en', width: 80 })
  expect(lines.join('')).toMatch(/^[ -~]*$/)
})
