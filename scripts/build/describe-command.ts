import { constants } from 'node:fs'
import { access, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import cli from '../../apps/cli/package.json' with { type: 'json' }
import { runProgram, startProgram } from '../../apps/cli/src/testing/test-program.ts'
import server from '../../apps/server/package.json' with { type: 'json' }
import { isNewEnough, oldest } from '../setup/node-version.mjs'

/** The program `dataagent` in a user's project, with no repository around it. */
export function describeCommand(project: () => string): void {
  /** As npm links it, with a home of its own. */
  const place = (home: string) => ({
    cwd: project(),
    program: join(project(), 'node_modules/.bin/dataagent'),
    env: { HOME: home, DATAAGENT_SAMPLES: 'on' },
  })

  describe('the installed command', () => {
    test('tells its version and its help, and can be run by its name', async () => {
      await using home = await temporaryDirectory()
      const told = place(home.path)
      await access(await realpath(told.program), constants.X_OK)
      const [version, help, platform] = await Promise.all([
        runProgram(['--version'], told),
        runProgram(['--help'], told),
        runProgram(['serve', '--help'], told),
      ])
      expect(version).toEqual({ code: 0, stdout: `${cli.version}\n`, stderr: '' })
      expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('dataagent [Flags]') })
      expect(platform).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/: dataagent serve/),
      })
    })

    test('answers with a platform of its own, and the demo model', async () => {
      await using home = await temporaryDirectory()
      const words = ['run', 'Use the glob tool with pattern=*.json']
      const { code, stdout, stderr } = await runProgram(words, place(home.path))
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('glob: ok') })
      expect(stdout).toContain('package.json')
      expect(await readdir(join(home.path, '.dataagent'))).toContain('dataagent.db')
    })

    test('serves the platform with its pages and samples until Ctrl-C', async () => {
      await using home = await temporaryDirectory()
      const dataDir = join(home.path, 'data')
      const args = ['--data-dir', dataDir, 'serve', '--port', '0']
      await using serving = startProgram(args, place(home.path))
      const find = () => /http:\/\/127\.0\.0\.1:\d+(?=\s)/.exec(serving.stderr())?.[0]
      const url = await waitFor(find, { timeoutMs: 25_000, what: 'the address' })
      await waitFor(() => serving.stderr().includes(`    dataagent --server ${url}\n`))
      expect(serving.stderr()).not.toContain('npm')
      const methods = await (await fetch(`${url}/api/v1/sign-in/methods`)).json()
      const commands = { server: 'dataagent serve', terminal: 'dataagent' }
      expect(methods).toMatchObject({ commands })
      const page = await (await fetch(url)).text()
      const [script = ''] = /\/assets\/[^"]+\.js/.exec(page) ?? []
      const [sent, terms] = await Promise.all(
        [script, '/third-party-licenses.md'].map((path) => fetch(`${url}${path}`)),
      )
      expect(sent?.headers.get('content-type')).toContain('javascript')
      expect(await terms?.text()).toContain('react')
      for (const name of ['mall', 'clinic']) {
        const isRunning = () => serving.stdout().match(`"${name}".*"message":"running"`)
        await waitFor(isRunning, { timeoutMs: 25_000, what: name })
      }
      serving.process.kill('SIGINT')
      expect(await serving.ended).toBe(0)
      expect(serving.stdout()).toContain('"message":"stopped"')
      expect(await readdir(dataDir)).toContain('dataagent.db')
    })

    test('keeps compiled code in the home of a user who may not write where it is', async () => {
      await using home = await temporaryDirectory()
      const modules = join(project(), 'node_modules/.cache')
      await rm(modules, { recursive: true, force: true })
      await writeFile(modules, 'in the way')
      const { stderr } = await runProgram(['--version'], place(home.path))
      await rm(modules)
      expect(stderr).toBe('')
      expect(await readdir(join(home.path, '.cache/dataagent/compiled'))).toHaveLength(1)
    })

    test('says which Node it needs, and loads nothing else with an older one', async () => {
      await using home = await temporaryDirectory()
      const old = join(home.path, 'old.mjs')
      await writeFile(old, "Object.defineProperty(process, 'version', { value: 'v22.9.0' })")
      const told = place(home.path)
      const env = { ...told.env, NODE_OPTIONS: `--import=${old}` }
      const { code, stdout, stderr } = await runProgram(['--version'], { ...told, env })
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/needs Node 24\.15 or later, and this is v22\.9\.0/)
    })

    test('the Node that it asks for is the oldest that runs the sources', () => {
      const least = `${oldest.major}.${oldest.minor}`
      expect([cli, server].map(({ engines }) => engines.node)).toEqual([`>=${least}`, `>=${least}`])
      expect(isNewEnough(`v${least}.0`)).toBe(true)
    })
  })
}
