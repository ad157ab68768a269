import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Ends the processes that carry the entry in their environment and do not end by themselves in
 * time: what a run has started and not ended would keep its output open, and who reads it would
 * wait for ever.
 * @param {string} entry `NAME=value`
 * @param {number} graceMs for those that clean up behind others
 * @returns {Promise<string[]>} the command lines of those that were ended; none where there is no
 *   /proc
 */
export async function endLeftovers(entry, graceMs) {
  const until = performance.now() + graceMs
  while (findCarriers(entry).length > 0 && performance.now() < until) await delay(100)
  return findCarriers(entry).flatMap((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      process.kill(pid, 'SIGKILL')
      return [command]
    } catch {
      return [] // It has ended by itself.
    }
  })
}

/**
 * @param {string} entry
 * @returns {number[]}
 */
function findCarriers(entry) {
  return pids().filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(entry)
    } catch {
      return false // Gone, or another user's.
    }
  })
}

function pids() {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}
