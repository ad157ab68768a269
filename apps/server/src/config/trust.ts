import { type Stats, statSync } from 'node:fs'
import type { Problem } from './problem.ts'
import type { Text } from './text.ts'

type Place = Pick<Stats, 'uid' | 'mode' | 'isDirectory'>

/**
 * Why what stands at `path` may be another user's word: whoever writes our settings can send the
 * sign-in link elsewhere. Undefined where only we and root can have written it, and on Windows.
 */
export function distrust(
  path: string,
  place: Place | undefined,
  us = process.getuid?.(),
): Text | undefined {
  if (us === undefined || place === undefined) return undefined
  if (place.uid !== us && place.uid !== 0) return foreign(path, place.uid)
  const isSticky = place.isDirectory() && (place.mode & 0o1000) !== 0
  return (place.mode & 0o022) !== 0 && !isSticky ? writable(path) : undefined
}

/** The same for the data directory, as a problem of the setting; none while it is absent. */
export function distrustDataDir(path: string): Problem[] {
  const message = distrust(path, statIfAny(path))
  return message ? [{ name: 'data_dir', message }] : []
}

function statIfAny(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // Making it will fail for the same reason, and say so.
    return undefined
  }
}

function foreign(path: string, uid: number): Text {
  return {
    en: `${path} belongs to another user (uid ${uid}), who could change our settings; make it yours with chown, or name another one`,
    zh: `${path} 属于其他用户（uid ${uid}），该用户可以更改本服务的配置；请用 chown 改为自己所有，或另选一个`,
  }
}

function writable(path: string): Text {
  return {
    en: `other users can write ${path} and so change our settings; run: chmod go-w ${path}`,
    zh: `其他用户可以写入 ${path}，从而更改本服务的配置；请执行：chmod go-w ${path}`,
  }
}
