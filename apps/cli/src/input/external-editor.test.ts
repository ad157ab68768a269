import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { editExternally, splitCommand } from './external-editor.ts'
import { createTestScreen } from './test-screen.ts'

const base = { PATH: process.env.PATH }

/** An editor that is a program of ours, in a folder with a blank in its name. */
async function createEditor(script: string) {
  const folder = await temporaryDirectory()
  const path = join(folder.path, 'my editor')
  await writeFile(path, `#!${process.execPath}\n${script}`)
  await chmod(path, 0o755)
  const out = join(folder.path, 'out')
  return { path, out, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] }
}

const append = `
const { appendFileSync, readFileSync, statSync, writeFileSync } = require('node:fs')
const file = process.argv.at(-1)
const { mode } = statSync(file)
const folder = statSync(require('node:path').dirname(file)).mode
const seen = { args: process.argv.slice(2, -1), text: readFileSync(file, 'utf8'), mode, folder }
writeFileSync(process.env.OUT, JSON.stringify(seen))
appendFileSync(file, '\\nand \\u001b[31mmore\\n\\n')
`

test('the draft goes to the editor and comes back, in a private file that is removed', async () => {
  await using editor = await createEditor(append)
  const screen = createTestScreen()
  const env = { ...base, EDITOR: 'false', VISUAL: `"${editor.path}" -n 'a b'`, OUT: editor.out }
  const edit = await editExternally({ text: '草稿', screen, lang: 'en', env })
  expect(edit).toEqual({ status: 'ok', text: '草稿\nand more' })
  const seen = JSON.parse(await readFile(editor.out, 'utf8'))
  expect(seen).toMatchObject({ args: ['-n', 'a b'], text: '草稿' })
  expect(seen.mode & 0o777).toBe(0o600)
  expect(seen.folder & 0o777).toBe(0o700)
  expect(screen.lent).toBe(1)
  const left = (await readdir(tmpdir())).filter((name) => name.startsWith('dataagent-edit-'))
  const ages = await Promise.all(left.map((name) => stat(join(tmpdir(), name)).catch(() => null)))
  expect(ages.filter((found) => found && found.mtimeMs > Date.now() - 2000)).toEqual([])
})

test.each([
  ['en', 'No editor is set'],
  ['zh', '未设置编辑器'],
] as const)('where none is set, it says so in %s and lends nothing', async (lang, words) => {
  const screen = createTestScreen()
  const edit = await editExternally({ text: 'a', screen, lang, env: { ...base, EDITOR: ' ' } })
  expect(edit).toEqual({ status: 'failed', message: expect.stringContaining(words) })
  expect(screen.lent).toBe(0)
})

test.each([
  ['process.exit(3)', /ended with 3/],
  ['process.kill(process.pid, "SIGKILL")', /ended with SIGKILL/],
  ['require("node:fs").rmSync(process.argv.at(-1))', /could not be read/],
])('an editor that does %s leaves the text as it was', async (script, message) => {
  await using editor = await createEditor(script)
  const env = { ...base, EDITOR: `'${editor.path}'` }
  const edit = await editExternally({ text: 'a', screen: createTestScreen(), lang: 'en', env })
  expect(edit).toEqual({ status: 'failed', message: expect.stringMatching(message) })
})

test('an editor that is not there is named, without its escapes', async () => {
  const env = { ...base, EDITOR: 'no-such\u001b[31m-editor --wait' }
  const edit = await editExternally({ text: 'a', screen: createTestScreen(), lang: 'en', env })
  expect(edit).toMatchObject({ message: expect.stringMatching(/"no-such-editor" could not/) })
})

test('quotes hold words together, a shell would read nothing else', () => {
  expect(splitCommand(`code --wait`)).toEqual(['code', '--wait'])
  expect(splitCommand(`"/a b/ed" -c 'x y' $HOME;rm`)).toEqual(['/a b/ed', '-c', 'x y', '$HOME;rm'])
  expect(splitCommand('  ')).toEqual([])
})
