import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const host = fileURLToPath(new URL('./test-terminal-host.ts', import.meta.url))

/** What a terminal shows in which the host runs the program. */
async function inTerminal(...program: string[]): Promise<string> {
  const words = [process.execPath, '--conditions=dataagent-source', host, ...program]
  const line = words.map((word) => `'${word}'`).join(' ')
  const shown = promisify(execFile)('script', ['-qfec', line, '/dev/null'])
  return await shown.then(
    ({ stdout }) => stdout,
    // What was shown counts; how the terminal ended tells why it may be too little.
    ({ stdout, code, signal }) => `${stdout}(terminal: ${code ?? signal})`,
  )
}

test('the program has the terminal, and only the variables that it is given', async () => {
  const shown = await inTerminal('sh', '-c', 'tty; echo "$LEFT-$HOME"; exit 3')
  expect(shown).toMatch(/\/dev\/pts\/\d+\r\nalone-\r\nended {"kind":"code","code":3}/)
})

test('keys that interrupt it leave the host running', async () => {
  expect(await inTerminal('sh', '-c', 'kill -INT 0; read line')).toContain(
    'ended {"kind":"signal","signal":"SIGINT"}',
  )
})

test('a program that is not there is an error with its name', async () => {
  expect(await inTerminal('no-such-editor')).toMatch(/ended .*no-such-editor.*not found/)
})
