import { spawn } from 'node:child_process'

/**
 * @typedef {object} Step
 * @property {string} title
 * @property {string} command
 * @property {string[]} args
 * @property {string} advice What to do where it fails.
 * @property {Record<string, string>} [env] Over what is set here.
 */

/**
 * Runs one step of the set-up, saying what it does and, every few seconds, for how long. Throws
 * with the step's output where it fails.
 * @param {string} root
 * @param {Step} step
 */
export async function runStep(root, { title, command, args, advice, env = {} }) {
  const started = Date.now()
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(0)} s`
  process.stderr.write(`${title} …\n`)
  const ticker = setInterval(() => process.stderr.write(`  … ${seconds()}\n`), 5_000)
  const { code, output } = await run(root, command, args, env)
  clearInterval(ticker)
  if (code !== 0) throw new SetupError(`${output}\n${title} failed. ${advice}`)
  process.stderr.write(`${title}: done in ${seconds()}\n`)
}

/** What stops the set-up; its message is for the user. */
export class SetupError extends Error {}

/**
 * @param {string} root
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @returns {Promise<{ code: number, output: string }>}
 */
function run(root, command, args, env) {
  return new Promise((resolve) => {
    const shell = process.platform === 'win32' && !command.endsWith('.exe')
    const child = spawn(command, args, {
      ...{ cwd: root, shell, stdio: ['ignore', 'pipe', 'pipe'] },
      env: { ...process.env, ...env },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        output += text
      })
    }
    child.on('error', (error) => resolve({ code: 1, output: String(error) }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
