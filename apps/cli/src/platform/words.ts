import type { Text } from '../words/index.ts'

export const words = {
  keyVisible: {
    en: 'Other users of this machine can see a key that is given as --api-key: use --api-key-file or DATAAGENT_API_KEY.',
    zh: '通过 --api-key 给出的 Key 对本机其他用户可见：请改用 --api-key-file 或 DATAAGENT_API_KEY。',
  },
  keyInClear: (host: string): Text => ({
    en: `The API key goes to ${host} without encryption: use https.`,
    zh: `API Key 将以明文发送到 ${host}：请使用 https。`,
  }),
  keyFileOpen: (path: string): Text => ({
    en: `Other users can read the key file ${path}. Close it: chmod 600 ${path}`,
    zh: `其他用户可以读取密钥文件 ${path}。请执行：chmod 600 ${path}`,
  }),
  keyFileUnreadable: (path: string, code: string): Text => ({
    en: `The key file ${path} cannot be read (${code}).`,
    zh: `无法读取密钥文件 ${path}（${code}）。`,
  }),
  keyFileEmpty: (path: string): Text => ({
    en: `The key file ${path} holds no key.`,
    zh: `密钥文件 ${path} 中没有 Key。`,
  }),
  noFolder: (path: string): Text => ({
    en: `There is no folder ${path}.`,
    zh: `没有文件夹 ${path}。`,
  }),
  badAddress: (value: string): Text => ({
    en: `DATAAGENT_SERVER is no address such as https://agents.example.com: "${value}".`,
    zh: `DATAAGENT_SERVER 不是有效地址（如 https://agents.example.com）：“${value}”。`,
  }),
} as const
