import type { Text } from '../words/index.ts'

const seeLog = (file: string): Text => ({
  en: `Its log: ${file}`,
  zh: `日志：${file}`,
})

/** What can be wrong with a link, and what to do. */
export const texts = {
  cannotStart: (why: string, log: string): Text => ({
    en: `The local platform could not start. ${why}\n${seeLog(log).en}`,
    zh: `无法启动本地平台。${why}\n${seeLog(log).zh}`,
  }),
  endedBefore: (how: string): Text => ({
    en: `It ended (${how}) before it was ready.`,
    zh: `它在就绪之前就结束了（${how}）。`,
  }),
  tooSlow: (seconds: number): Text => ({
    en: `It was not ready after ${seconds} seconds.`,
    zh: `${seconds} 秒后仍未就绪。`,
  }),
  noLog: (file: string, code: string): Text => ({
    en: `The log ${file} cannot be written (${code}). Let this user write there, or name another data directory.`,
    zh: `无法写入日志 ${file}（${code}）。请让当前用户可以写入，或指定其他数据目录。`,
  }),
  lost: (why: string, log: string): Text => ({
    en: `The local platform has ended: ${why} ${seeLog(log).en}`,
    zh: `本地平台已结束：${why}${seeLog(log).zh}`,
  }),
  endedWith: (how: string): Text => ({ en: `${how}.`, zh: `${how}。` }),
  closed: { en: 'The local platform is closed.', zh: '本地平台已关闭。' },
  noUrl: (url: string): Text => ({
    en: `${url} is no address of a server. Give one such as https://agents.example.com`,
    zh: `${url} 不是服务器地址。请使用形如 https://agents.example.com 的地址`,
  }),
  unreachable: (url: string, why: string): Text => ({
    en: `${url} cannot be reached (${why}). Is the address right, and does the server run?`,
    zh: `无法连接 ${url}（${why}）。请检查地址是否正确、服务器是否在运行。`,
  }),
  notReady: (url: string): Text => ({
    en: `The server at ${url} is not ready yet, or has too much to do. Try again in a moment.`,
    zh: `${url} 的服务器尚未就绪或过于繁忙。请稍后重试。`,
  }),
  noKey: (url: string): Text => ({
    en: `${url} wants an API key. Set DATAAGENT_API_KEY to yours.`,
    zh: `${url} 需要 API Key。请将 DATAAGENT_API_KEY 设置为你的 Key。`,
  }),
  wrongKey: (url: string): Text => ({
    en: `${url} does not know this API key, or it has ended. Set DATAAGENT_API_KEY to another.`,
    zh: `${url} 不认识该 API Key，或其已失效。请将 DATAAGENT_API_KEY 设置为其他 Key。`,
  }),
  stranger: (url: string): Text => ({
    en: `What answers at ${url} is no DataAgent server. Give the address of one.`,
    zh: `${url} 上的服务不是 DataAgent。请给出 DataAgent 服务器的地址。`,
  }),
  otherVersion: (theirs: string, ours: string): Text => ({
    en: `The server has version ${theirs}, this terminal ${ours}: update the older of the two.`,
    zh: `服务器版本为 ${theirs}，本终端版本为 ${ours}：请更新较旧的一方。`,
  }),
}
