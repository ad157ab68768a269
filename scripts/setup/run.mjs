import { spawn } from 'node:child_process'
import { root } from './paths.mjs'

/**
 * Runs one step of the set-up, saying what it does and, every few seconds, for how long. Ends the
 * process with the step's output where it fails.
 * @param {string} title
 * @param {{ command: string, args: string[], advice: string }} step
 */
export async function runStep(title, { command, args, advice }) {
  const started = Date.now()
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(0)} s`
  process.stderr.write(`${title} …\n`)
  const ticker = setInterval(() => process.stderr.write(`  … ${seconds()}\n`), 5_000)
  const { code, output } = await run(command, args)
  clearInterval(ticker)
  if (code === 0) {
    process.stderr.write(`${title}: done in ${seconds()}\n`)
    return
  }
  process.stderr.write(`${output}\n${title} failed. ${advice}\n`)
  process.exit(1)
}

/**
 * @param {string} command @param {string[]} args @returns {Promise<{ code: number, output: string }>}
 */
function run(command, args) {
  return new Promise((resolve) => {
    const shell = process.platform === 'win32' && !command.endsWith('.exe')
    const child = spawn(command, args, { cwd: root, shell, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (text) => {
      output += text
    })
    child.stderr.on('data', (text) => {
      output += text
    })
    child.on('error', (error) => resolve({ code: 1, output: String(error) }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
