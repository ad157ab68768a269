import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { Link } from '../../link/index.ts'
import { testPlace } from '../test-place.ts'
import { createProgramShell } from './program-shell.ts'
import { plainTheme } from './test-shell.ts'

async function started(isTTY: boolean) {
  const place = await testPlace()
  const running: string[][] = []
  const link = {
    setServers: async (servers: readonly { name: string }[]) => {
      running.push(servers.map(({ name }) => name))
    },
  } as unknown as Link
  const stdin = Object.assign(new PassThrough(), { isTTY }) as unknown as NodeJS.ReadStream
  const output = new PassThrough()
  const stdout = Object.assign(output, { isTTY }) as unknown as NodeJS.WriteStream
  const { signal } = new AbortController()
  const shell = createProgramShell({
    ...{ link, stdin, stdout, signal, theme: plainTheme, lang: 'en', place, trust: place.trust },
  })
  await place.putProject({ mcpServers: { theirs: { command: 'go' } } })
  return { place, running, stdin, shell, shown: () => String(output.read() ?? '') }
}

test('at a terminal the person is asked, and what they agree to runs', async () => {
  const { place, running, stdin, shell, shown } = await started(true)
  await using _place = place
  stdin.push('y\n')
  await shell.reload()
  expect(running).toEqual([['theirs']])
  expect(shown()).toContain('  runs: go\n')
})

test('in a pipe nobody is asked, and nothing of a project runs [T59]', async () => {
  const { place, running, shell, shown } = await started(false)
  await using _place = place
  await shell.reload()
  expect([running, shell.ask, shown()]).toEqual([[[]], undefined, ''])
})
