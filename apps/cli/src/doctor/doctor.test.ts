import { tmpdir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { createTheme } from '../ui/index.ts'
import { runDoctor, toDoctorJson } from './doctor.ts'

const theme = createTheme({ env: {}, isTty: false })
const { signal } = new AbortController()
const machine = { env: {}, isTty: true, dataDir: tmpdir(), logFile: `${tmpdir()}/none/x.log` }

describe('the doctor', () => {
  test('says what to do where something is wrong, and names no secret', async () => {
    const report = await runDoctor({
      ...{ columns: 40, rows: 10, theme, signal, isTty: true },
      env: {
        TERM: 'dumb',
        LANG: 'C',
        HTTPS_PROXY: 'http://u:hidden@proxy',
        OPENAI_API_KEY: 'sk-1',
      },
      ...{ dataDir: '/proc/none', logFile: '/proc/none.log', nodeVersion: '22.1.0' },
      link: () => Promise.reject(new Error('the child has ended')),
    })
    const { status, checks } = toDoctorJson(report, 'en')
    expect(status).toBe('fail')
    const found = Object.fromEntries(checks.map((check) => [check.name, check.status]))
    expect(found).toEqual({
      ...{ node: 'fail', terminal: 'warn', encoding: 'warn', colours: 'pass', storage: 'fail' },
      ...{ log: 'warn', models: 'pass', platform: 'fail', servers: 'warn', clock: 'warn' },
      proxy: 'warn',
    })
    const bad = checks.filter((check) => ['node', 'storage', 'platform'].includes(check.name))
    expect(bad.every(({ todo }) => todo !== undefined)).toBe(true)
    expect(JSON.stringify(checks)).not.toMatch(/sk-1|hidden/)
  })

  test('waits for a platform that does not come only so long', async () => {
    const { checks } = await runDoctor({
      ...{ ...machine, columns: 80, rows: 24, theme, signal },
      ...{ link: () => new Promise(() => {}), patienceMs: 10 },
    })
    const platform = checks.find(({ name }) => name === 'platform')
    expect(platform).toMatchObject({ status: 'fail', text: { en: 'no answer within 0.01 s' } })
  })
})
