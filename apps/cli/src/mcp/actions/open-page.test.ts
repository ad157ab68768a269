import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { testPlace } from '../test-place.ts'
import { isSafe } from './login.ts'
import { openPage } from './open-page.ts'

test.each([
  ['https://login.example/authorize?client=a&state=b', true],
  ['http://login.example/', false],
  ['file:///etc/passwd', false],
  ['javascript:alert(1)', false],
  ['https://user:pass@login.example/', false],
  ['https://login.example/a b', false],
  ['https://login.example/\u001b[2J', false],
  ['--help', false],
  [`https://login.example/${'a'.repeat(5_000)}`, false],
])('%s may be opened: %s [T18]', (url, isAllowed) => {
  expect(isSafe(url)).toBe(isAllowed)
})

test.runIf(process.platform === 'linux')(
  'the address is one argument of the opener, whatever stands in it [T18]',
  async () => {
    await using directory = await temporaryDirectory()
    await using place = await testPlace()
    const seen = join(directory.path, 'seen')
    const opener = join(directory.path, 'xdg-open')
    await place.put(
      opener,
      `#!/bin/sh\nprintf '%s|%s' "$#" "$1" > '${seen}.part'\nmv '${seen}.part' '${seen}'\n`,
    )
    await chmod(opener, 0o755)
    const url = 'https://login.example/?a=$(id)&b=`id`;id'
    const env = { PATH: `${directory.path}:/usr/bin:/bin`, DISPLAY: ':0' }
    expect(await openPage(url, env)).toBe(true)
    expect(await waitFor(() => readFile(seen, 'utf8'))).toBe(`1|${url}`)
    expect(await openPage(url, { PATH: '/nowhere', DISPLAY: ':0' })).toBe(false)
    expect(await openPage(url, { PATH: env.PATH })).toBe(false)
    expect(await openPage(url, { ...env, SSH_CONNECTION: 'a' })).toBe(false)
  },
)
