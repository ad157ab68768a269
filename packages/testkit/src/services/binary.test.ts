import { existsSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { temporaryDirectory } from '../temporary-directory.ts'
import { ensureBinary } from './binary.ts'

const isRootOnDebian = process.getuid?.() === 0 && existsSync('/etc/debian_version')

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

test('an installed binary is found as it is named, links unresolved', async () => {
  await using folder = await temporaryDirectory()
  await writeScript(join(folder.path, 'made-up-server'), 'true')
  vi.stubEnv('PATH', folder.path)
  expect(await ensureBinary('made-up-server', 'none')).toBe(join(folder.path, 'made-up-server'))
})

test('a server that is kept off PATH is found', async () => {
  vi.stubEnv('PATH', '')
  const folders = ['/usr/sbin', '/sbin', '/usr/local/sbin']
  const sh = await ensureBinary('ldconfig', 'none')
  expect(folders.map((folder) => join(folder, 'ldconfig'))).toContain(sh)
})

test.skipIf(!isRootOnDebian)(
  'root on Debian installs the package; its scripts can start, stop or restart nothing',
  async () => {
    await using folder = await temporaryDirectory()
    const binary = join(folder.path, 'made-up-server')
    const record = join(folder.path, 'record')
    await writeScript(
      join(folder.path, 'apt-get'),
      `echo "$DEBIAN_FRONTEND $@" >> ${record}
       for name in invoke-rc.d deb-systemd-invoke service; do
         case "$(command -v $name)" in /usr/*|/sbin/*|"") echo "real $name" >> ${record};; esac
         $name postgresql stop || echo "$name failed" >> ${record}
       done
       case "$*" in *install*) printf '#!/bin/sh\\n' > ${binary}; chmod +x ${binary};; esac`,
    )
    vi.stubEnv('PATH', `${folder.path}:${process.env.PATH}`)
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    expect(await ensureBinary('made-up-server', 'made-up-package')).toBe(binary)
    expect((await readFile(record, 'utf8')).trim().split('\n')).toEqual([
      'noninteractive -q update',
      'noninteractive -q -y -o DPkg::Lock::Timeout=600 --no-install-recommends --no-remove install made-up-package',
    ])
  },
)

test.skipIf(!isRootOnDebian)('a package that cannot be installed gives no binary', async () => {
  await using folder = await temporaryDirectory()
  await writeScript(
    join(folder.path, 'apt-get'),
    'echo "E: Unable to locate package" >&2; exit 100',
  )
  vi.stubEnv('PATH', `${folder.path}:${process.env.PATH}`)
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  expect(await ensureBinary('made-up-server', 'made-up-package')).toBeUndefined()
  expect(stderr).toHaveBeenLastCalledWith(
    'testkit: made-up-package could not be installed: E: Unable to locate package\n',
  )
})

async function writeScript(path: string, body: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${body}\n`)
  await chmod(path, 0o755)
}
