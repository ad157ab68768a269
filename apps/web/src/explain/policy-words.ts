import { defineWords } from '../words/words.ts'

/** What every page calls the parts of the policy. */
export const policyWords = defineWords({
  en: {
    effects: { allow: 'Allow', ask: 'Ask first', deny: 'Deny' },
    tiers: { platform: 'Platform', tenant: 'Tenant', user: 'User' },
    kinds: {
      agent: 'Agent',
      api_key: 'API key',
      group: 'Tool group',
      user: 'User',
      tenant: 'Tenant',
    },
    every: {
      agent: 'every agent',
      api_key: 'every API key',
      group: 'every tool group',
      user: 'every user',
      tenant: 'the whole tenant',
    },
    one: (kind: string, id: string) => `${kind} ${id}`,
  },
  zh: {
    effects: { allow: '允许', ask: '先询问', deny: '拒绝' },
    tiers: { platform: '平台', tenant: '租户', user: '用户' },
    kinds: { agent: '智能体', api_key: 'API 密钥', group: '工具组', user: '用户', tenant: '租户' },
    every: {
      agent: '所有智能体',
      api_key: '所有 API 密钥',
      group: '所有工具组',
      user: '所有用户',
      tenant: '整个租户',
    },
    one: (kind: string, id: string) => `${kind} ${id}`,
  },
})
