import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { resolveCommand } from './resolve-command.ts'

async function writeProgram(file: string, mode = 0o755): Promise<string> {
  await writeFile(file, '#!/bin/sh\n')
  await chmod(file, mode)
  return file
}

test('a bare name is looked up in the declared PATH, in order, past what cannot be run', async () => {
  await using directory = await temporaryDirectory()
  const folders = ['a', 'b', 'c', 'd'].map((name) => join(directory.path, name))
  for (const folder of folders) await mkdir(folder)
  const [a = '', b = '', c = '', d = ''] = folders
  await mkdir(join(a, 'tool'))
  await writeProgram(join(b, 'tool'), 0o644)
  await writeProgram(join(d, 'tool'))
  const wanted = await writeProgram(join(c, 'tool'))
  expect(await resolveCommand('tool', { PATH: folders.join(':') })).toBe(wanted)
})

test("a name that only the host's PATH holds is not found, and no variable is shown", async () => {
  const env = { PATH: '/nowhere', TOKEN: 'sk-canary' }
  await expect(resolveCommand('sh', env)).rejects.toSatisfy(
    (error) => error.code === 'process_failed' && /"sh" was not found/.test(error.message),
  )
  await expect(resolveCommand('sh', env)).rejects.not.toThrow(/canary|nowhere/)
})

test('relative entries of PATH are passed over', async () => {
  await using directory = await temporaryDirectory()
  await writeProgram(join(directory.path, 'tool'))
  const before = process.cwd()
  process.chdir(directory.path)
  onTestFinished(() => process.chdir(before))
  await expect(resolveCommand('tool', { PATH: '.::' })).rejects.toThrow(/not found/)
})

test.each(['./tool', '../tool', 'a/b', '', 'a\0b'])('refuses the command %j', async (command) => {
  await expect(resolveCommand(command, { PATH: '/usr/bin' })).rejects.toMatchObject({
    code: 'invalid_request',
  })
})
