import { defineWords } from '../words/words.ts'

export const signInWords = defineWords({
  en: {
    tagline: 'Give AI agents tools, and stay in charge of them.',
    title: 'Sign in',
    apiKey: 'API key',
    keyHint: 'The first start shows a key and a sign-in link in its terminal.',
    lostKey: 'Lost it? Run this where the server is installed:',
    signIn: 'Sign in',
    with: (name: string) => `Sign in with ${name}`,
    checking: 'Checking…',
    starting: 'The server is starting. This page goes on by itself.',
    other: {
      title: (who: string) => `Sign in as ${who}?`,
      about: (now: string, other: string) =>
        `You are signed in as ${now}. The link that you opened signs you in as ${other}.`,
      advice:
        'What you then do and write is kept under that name. Go on only if the link is your own.',
      action: (who: string) => `Sign in as ${who}`,
    },
    problems: {
      refused: 'This key is not valid.',
      ended: 'Your session has ended. Sign in again.',
      limited: 'Too many wrong keys from your address. Try again in a minute.',
      unreachable: 'The server cannot be reached. Try again in a moment.',
      provider_refused: 'You may not sign in with this account.',
      provider_full: 'There is no room for one more user. Ask your administrator.',
      provider_failed: 'The identity provider does not answer. Try again in a moment.',
    },
  },
  zh: {
    tagline: '让 AI 智能体用上工具，并始终由你掌控。',
    title: '登录',
    apiKey: 'API Key',
    keyHint: '首次启动时，终端会显示 Key 和登录链接。',
    lostKey: '忘记了？在服务所在机器上执行：',
    signIn: '登录',
    with: (name: string) => `使用 ${name} 登录`,
    checking: '验证中…',
    starting: '服务正在启动，页面会自动继续。',
    other: {
      title: (who: string) => `要以 ${who} 的身份登录吗？`,
      about: (now: string, other: string) =>
        `你当前登录为 ${now}，而打开的链接会让你以 ${other} 的身份登录。`,
      advice: '此后的操作和内容都会记在该身份名下。只有链接属于你本人时才继续。',
      action: (who: string) => `以 ${who} 的身份登录`,
    },
    problems: {
      refused: '该 Key 无效。',
      ended: '登录已结束，请重新登录。',
      limited: '你所在的地址尝试错误 Key 次数过多，请一分钟后再试。',
      unreachable: '暂时无法连接服务，请稍后再试。',
      provider_refused: '该账号不允许登录。',
      provider_full: '用户数已达上限，请联系管理员。',
      provider_failed: '身份提供方没有响应，请稍后再试。',
    },
  },
})

export type SignInProblem = keyof (typeof signInWords)['en']['problems']
