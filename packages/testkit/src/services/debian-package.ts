import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryDirectory } from '../temporary-directory.ts'

/** What maintainer scripts call to start, stop or restart services. */
const serviceStarters = ['invoke-rc.d', 'deb-systemd-invoke', 'service', 'needrestart']

/** apt waits for dpkg's lock by itself but not for the one on its lists: so one of us at a time. */
const lockFile = '/run/dataagent-testkit-apt.lock'

const script = `
apt-get -q update
exec apt-get -q -y -o DPkg::Lock::Timeout=600 --no-install-recommends --no-remove install "$1"
`

/**
 * Installs a Debian package where we may (root on Debian); says whether it did. No service is
 * started, stopped or restarted: the maintainer scripts find do-nothing commands first on their
 * PATH. Nothing is removed for it.
 */
export async function installDebianPackage(name: string): Promise<boolean> {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false
  await using shims = await temporaryDirectory()
  for (const starter of serviceStarters) await writeShim(join(shims.path, starter))
  process.stderr.write(`testkit: installing the Debian package ${name}\n`)
  try {
    await promisify(execFile)('flock', [lockFile, 'sh', '-c', script, 'sh', name], {
      env: aptEnvironment(shims.path),
      maxBuffer: 64 * 1024 * 1024,
      timeout: 15 * 60_000,
    })
    return true
  } catch (error) {
    const reason = error instanceof Error ? error.message.trimEnd().split('\n').at(-1) : error
    process.stderr.write(`testkit: ${name} could not be installed: ${reason}\n`)
    return false
  }
}

function aptEnvironment(shims: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: `${shims}:${process.env.PATH}:/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin`,
    DEBIAN_FRONTEND: 'noninteractive',
    NEEDRESTART_SUSPEND: '1',
    LC_ALL: 'C',
  }
}

async function writeShim(path: string): Promise<void> {
  await writeFile(path, '#!/bin/sh\nexit 0\n')
  await chmod(path, 0o755)
}
