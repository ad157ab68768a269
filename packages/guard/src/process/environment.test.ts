import { isAppError } from '@dataagent/schema/base'
import { expect, test } from 'vitest'
import { baseEnvironment, checkEnvironment } from './environment.ts'

test('the base set takes what programs need and leaves credentials behind', () => {
  const from = {
    PATH: '/usr/bin',
    HOME: '/home/ann',
    LANG: 'C.UTF-8',
    TZ: undefined,
    OPENAI_API_KEY: 'sk-canary',
    HTTPS_PROXY: 'http://user:secret@proxy',
    NODE_OPTIONS: '--require ./x.js',
    LD_PRELOAD: '/tmp/x.so',
  }
  expect(baseEnvironment(from)).toEqual({ PATH: '/usr/bin', HOME: '/home/ann', LANG: 'C.UTF-8' })
})

test.each([{ '': 'x' }, { 'A=B': 'x' }, { 'A\0B': 'x' }, { A: 'x\0--bind\0/\0/host' }])(
  'refuses the variable %j without showing its value',
  (env) => {
    const failure = catchError(() => checkEnvironment(env))
    expect(isAppError(failure, 'invalid_request')).toBe(true)
    expect(String(failure)).not.toContain('--bind')
  },
)

function catchError(run: () => void): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}
