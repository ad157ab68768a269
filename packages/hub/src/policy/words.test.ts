import { askingReasons } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { DefaultWhy, Reason } from './contract.ts'
import { toReasonText } from './words.ts'

type Asking = 'rule' | 'server_setting' | Exclude<DefaultWhy, 'own_tool' | 'administrators_server'>

const reasons: Record<Asking, Reason> = {
  rule: { kind: 'rule', rule_id: 'r-1', tier: 'tenant', effect: 'ask' },
  server_setting: { kind: 'server_setting', effect: 'ask' },
  own_tool_asks: { kind: 'default', why: 'own_tool_asks' },
  own_tool_by_arguments: { kind: 'default', why: 'own_tool_by_arguments' },
  destructive_annotation: { kind: 'default', why: 'destructive_annotation' },
  users_server: { kind: 'default', why: 'users_server' },
  after_untrusted_output: { kind: 'default', why: 'after_untrusted_output' },
}

test('why a person is asked is said in the words that pages know', () => {
  const texts = Object.entries(reasons).map(([name, reason]) => [name, toReasonText(reason)])
  expect(Object.fromEntries(texts)).toEqual(askingReasons)
})
