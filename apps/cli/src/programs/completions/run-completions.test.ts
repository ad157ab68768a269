import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { callingTestFile, ensureBinary, reportSkip, temporaryDirectory } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { commands, globalFlags } from '../../args/index.ts'
import { runProgram } from '../../testing/test-program.ts'
import { toBash } from './bash.ts'
import { toFish } from './fish.ts'
import { toZsh } from './zsh.ts'

const shell = promisify(execFile)

/** A real shell; undefined, said loudly, where there is none. */
async function findShell(name: 'zsh' | 'fish'): Promise<string | undefined> {
  const testFile = callingTestFile()
  const path = await ensureBinary(name, name)
  if (path === undefined) reportSkip(testFile, `${name} is not here and cannot be installed`)
  return path
}

const shells = { zsh: await findShell('zsh'), fish: await findShell('fish') }

/** What bash would offer for the last of these words. */
async function completeInBash(words: string[], cwd = '/'): Promise<string[]> {
  const quoted = words.map((word) => `'${word}'`).join(' ')
  const script = `${toBash()}
    COMP_WORDS=(dataagent ${quoted}); COMP_CWORD=${words.length}
    _dataagent; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = await shell('bash', ['--norc', '-u', '-c', script], { cwd })
  expect(stderr).toBe('')
  return stdout.split('\n').filter(Boolean)
}

describe('bash, really', () => {
  test('offers every command, and every flag', async () => {
    expect(await completeInBash([''])).toEqual(commands.map(({ name }) => name))
    const flags = await completeInBash(['--'])
    expect(flags).toEqual(expect.arrayContaining(globalFlags.map(({ name }) => `--${name}`)))
  })

  test.for([
    [['se'], ['serve', 'sessions']],
    [
      ['sessions', ''],
      ['list', 'show', 'export', 'rename', 'delete'],
    ],
    [
      ['sessions', 'export', '--fo'],
      ['--format', '--folder'],
    ],
    [
      ['--lang', ''],
      ['en', 'zh'],
    ],
    [
      ['--lang', '=', ''],
      ['en', 'zh'],
    ],
    [['--server', 'http://a', 'mcp', 'en'], ['enable']],
    [['run', '--approve', 'a'], ['auto']],
    [
      ['completions', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['--server', ''], []],
    [['run', 'some', ''], []],
  ] as const)('%j', async ([words, expected]) => {
    expect(await completeInBash([...words])).toEqual(expected)
  })

  test('offers files and folders where a flag takes them', async () => {
    await using directory = await temporaryDirectory()
    await mkdir(join(directory.path, 'folder'))
    await writeFile(join(directory.path, 'file.json'), '')
    const files = await completeInBash(['--mcp-config', 'f'], directory.path)
    expect(files.toSorted()).toEqual(['file.json', 'folder'])
    expect(await completeInBash(['-C', 'f'], directory.path)).toEqual(['folder'])
  })
})

for (const [name, write] of [
  ['zsh', toZsh],
  ['fish', toFish],
] as const) {
  test(`${name} names every command and flag, in the language of its reader`, () => {
    for (const { name: command, about } of commands) {
      expect(write('en')).toContain(command)
      expect(write('zh')).toContain(about.zh)
    }
    for (const flag of globalFlags) expect(write('en')).toContain(flag.name)
  })

  test.skipIf(!shells[name])(`${name} reads it`, async () => {
    const { stderr } = await shell(shells[name]!, ['-n', '-c', write('en')])
    expect(stderr).toBe('')
  })
}

test.skipIf(!shells.fish)('fish, really', async () => {
  const script = `${toFish('en')}\ncomplete -C 'dataagent sessions '`
  const { stdout, stderr } = await shell(shells.fish!, ['--no-config', '-c', script])
  expect(stderr).toBe('')
  expect(stdout.split('\n').map((line) => line.split('\t')[0])).toContain('export')
})

test.skipIf(!shells.zsh)('zsh, with its completion system written down', async () => {
  const script = `compdef() {}\n${toZsh('en')}
    _describe() { print -l -- \${(P)2} }
    words=(dataagent --lang zh sessions ''); CURRENT=5; PREFIX=''; _dataagent`
  const { stdout, stderr } = await shell(shells.zsh!, ['-f', '-c', script])
  expect(stderr).toBe('')
  expect(stdout.split('\n').map((line) => line.split(':')[0])).toContain('export')
})

test('prints the script of the shell that is named, else says which there are', async () => {
  const [bash, none] = await Promise.all([
    runProgram(['completions', 'bash']),
    runProgram(['completions']),
  ])
  expect(bash).toEqual({ code: 0, stdout: toBash(), stderr: '' })
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('bash|zsh|fish') })
})
