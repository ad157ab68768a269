// biome-ignore lint/style/noRestrictedImports: a browser is to outlive this program
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Variables } from '../expand.ts'

/** By the system's own program, which is given the address as one argument and no shell. */
const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['/usr/bin/open'],
  linux: ['xdg-open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Shows a page in the person's browser. False where there is none, or no screen for it. */
export async function openPage(url: string, env: Variables): Promise<boolean> {
  const opener = openers[process.platform]
  const hasScreen = env.DISPLAY || env.WAYLAND_DISPLAY || process.platform !== 'linux'
  if (!opener || !hasScreen || env.SSH_CONNECTION) return false
  const [command, ...args] = opener
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true, env: { ...env } })
  try {
    await once(child, 'spawn')
    child.on('error', () => {})
    child.unref()
    return true
  } catch {
    return false
  }
}
