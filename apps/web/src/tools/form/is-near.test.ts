import { expect, test } from 'vitest'
import { isNear } from './is-near.ts'

test.each([
  'http://127.0.0.1:8931/sse',
  'http://localhost/mcp',
  'http://192.168.1.4/mcp',
  'http://172.20.0.2/mcp',
  'http://[::1]:9/mcp',
  'http://[fd00::1]/mcp',
  'http://db.internal/mcp',
  'http://mcp:8000/mcp',
])('%s is near', (url) => expect(isNear(url)).toBe(true))

test.each(['https://mcp.example/mcp', 'http://8.8.8.8/mcp', 'http://172.32.0.1', 'not an address'])(
  '%s is not',
  (url) => expect(isNear(url)).toBe(false),
)
