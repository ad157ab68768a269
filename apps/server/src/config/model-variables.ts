import type { Text } from './text.ts'

/** A variable that the agent itself reads; there is no flag for it and no key in the file. */
export interface ModelVariable {
  env: string
  about: Text
  secret: boolean
}

/** What chooses the model. Held here apart from what reads it: `--help` must not wait for that. */
export const modelVariables: readonly ModelVariable[] = [
  {
    env: 'DATAAGENT_MODEL',
    about: {
      en: 'Model as provider:model; several, separated by commas, stand in for each other. Without it: one of the provider whose key is set, else the built-in demo model',
      zh: '模型，格式为 provider:model；多个以逗号分隔，互为后备。未设置时使用已配置密钥的服务商的模型，否则使用内置演示模型',
    },
    secret: false,
  },
  {
    env: 'OPENAI_API_KEY',
    about: {
      en: 'Key for OpenAI, or for the server at OPENAI_BASE_URL',
      zh: 'OpenAI 或 OPENAI_BASE_URL 所指服务的密钥',
    },
    secret: true,
  },
  {
    env: 'OPENAI_BASE_URL',
    about: {
      en: 'Address of an API that speaks chat completions, with its version. A server of your own needs no key',
      zh: '兼容 chat completions 的接口地址（含版本）。自建服务可不设密钥',
    },
    secret: false,
  },
  {
    env: 'ANTHROPIC_API_KEY',
    about: { en: 'Key for Anthropic', zh: 'Anthropic 密钥' },
    secret: true,
  },
  {
    env: 'ANTHROPIC_BASE_URL',
    about: { en: 'Address of an API that speaks messages', zh: '兼容 messages 的接口地址' },
    secret: false,
  },
  {
    env: 'TAVILY_API_KEY',
    about: {
      en: 'Key for searching the web with Tavily; without it there is no search',
      zh: '用 Tavily 搜索网页的密钥；未设置则不能搜索',
    },
    secret: true,
  },
]
