import { isAppError } from '@dataagent/schema/base'
import { describe, expect, test } from 'vitest'
import { toPolicyRules } from './policy.ts'

const at = (hostname: string, port = 443) => ({ hostname, port })

describe('public policy', () => {
  const bare = toPolicyRules({ mode: 'public' })

  test('lets public addresses through and names the class of others', () => {
    expect(bare.refusal(at('a.example'), '8.8.8.8')).toBeUndefined()
    expect(bare.refusal(at('a.example'), '169.254.169.254')).toBe('link_local')
  })

  test.each([
    ['10.1.2.3', '10.1.2.3', 80, true],
    ['10.1.2.3', '10.1.2.4', 80, false],
    ['10.0.0.0/8', '10.200.0.1', 80, true],
    ['10.0.0.0/8', '127.0.0.1', 80, false],
    ['10.1.2.3:8080', '10.1.2.3', 8080, true],
    ['10.1.2.3:8080', '10.1.2.3', 8081, false],
    ['fd00::/8', 'fd00::5', 80, true],
    ['[fd00::1]', 'fd00::1', 443, true],
    ['[fd00::1]:443', 'fd00::1', 443, true],
    ['[fd00::1]:443', 'fd00::1', 444, false],
    ['127.1:9000', '127.0.0.1', 9000, true],
  ])('%s lets %s port %i: %s', (entry, address, port, allowed) => {
    const rules = toPolicyRules({ mode: 'public', allowedAddresses: [entry] })
    expect(rules.refusal(at('any.example', port), address) === undefined).toBe(allowed)
  })

  test.each([
    ['wiki.corp.example', 'wiki.corp.example', 80, true],
    ['WIKI.corp.example.', 'wiki.corp.example', 80, true],
    ['wiki.corp.example', 'evil.wiki.corp.example', 80, false],
    ['wiki.corp.example', 'corp.example', 80, false],
    ['wiki.corp.example:8443', 'wiki.corp.example', 8443, true],
    ['wiki.corp.example:8443', 'wiki.corp.example', 443, false],
    ['bücher.example', 'xn--bcher-kva.example', 80, true],
  ])('the name %s lets %s port %i: %s', (entry, hostname, port, allowed) => {
    const rules = toPolicyRules({ mode: 'public', allowedAddresses: [entry] })
    expect(rules.refusal(at(hostname, port), '10.0.0.1') === undefined).toBe(allowed)
    expect(rules.allowsName(at(hostname, port))).toBe(allowed)
  })

  test('an allowed name does not allow its address under another name', () => {
    const rules = toPolicyRules({ mode: 'public', allowedAddresses: ['wiki.corp.example'] })
    expect(rules.refusal(at('evil.example'), '10.0.0.1')).toBe('private')
  })
})

test('any policy lets everything through', () => {
  const rules = toPolicyRules({ mode: 'any' })
  expect(rules.refusal(at('localhost'), '127.0.0.1')).toBeUndefined()
  expect(rules.refusal(at('meta.example'), '169.254.169.254')).toBeUndefined()
})

test('allowed ports hold for both modes, save for entries that name theirs', () => {
  const rules = toPolicyRules({
    mode: 'public',
    allowedPorts: [443],
    allowedAddresses: ['10.1.2.3:8080', 'wiki.example:81', '10.1.2.4'],
  })
  const asked = [
    at('a.example', 443),
    at('a.example', 80),
    at('10.1.2.3', 8080),
    at('10.1.2.3', 81),
    at('wiki.example', 81),
    at('10.1.2.4', 80),
  ]
  expect(asked.map(rules.allowsPort)).toEqual([true, false, true, false, true, false])
})

test.each([
  '',
  '10.0.0.0/33',
  'http://a.example',
  'a.example/path',
  'user@a.example',
  'a.example:0',
  'a.example:70000',
  'a.example:x',
  '[fd00::1',
  '[a.example]',
  'fd00::1]:80',
  'a b',
  '*.example',
])('an entry that cannot be read is refused by name: %j', (entry) => {
  const error = caught(() => toPolicyRules({ mode: 'public', allowedAddresses: [entry] }))
  expect(isAppError(error, 'config_invalid')).toBe(true)
  expect((error as Error).message).toContain(`"${entry}"`)
})

function caught(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}
