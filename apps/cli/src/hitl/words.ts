import type { Text } from '../words/index.ts'
import type { CloseReason } from './contract.ts'

const reasons: Readonly<Record<string, string>> = {
  'it acts outside of your own space': '它会影响你自己空间之外的内容',
  'with these arguments it acts outside of your own space':
    '使用这些参数会影响你自己空间之外的内容',
  'its server says that it is destructive': '服务声明该工具具有破坏性',
  'its server was added by a user': '该服务由用户添加',
  'this run has read output that nobody vouches for': '本次运行读取过来源不可信的内容',
  'the settings of its server say so': '服务的设置要求询问',
}
const tiers: Readonly<Record<string, string>> = { platform: '平台', tenant: '租户', user: '用户' }
const ofRule = /^a rule of the (\w+) says so \((.+)\)$/

/** Why a person is asked, of the platform's words. */
export function toReason(reason: string): Text {
  const [, tier = '', id = ''] = ofRule.exec(reason) ?? []
  const zh = id === '' ? reasons[reason] : `${tiers[tier] ?? tier}层级的规则要求询问（${id}）`
  return { en: reason, zh: zh ?? reason }
}

const endings: Readonly<Record<CloseReason, Text>> = {
  allowed: { en: 'was allowed elsewhere', zh: '已在别处允许' },
  rejected: { en: 'was rejected elsewhere', zh: '已在别处拒绝' },
  answered: { en: 'was answered elsewhere', zh: '已在别处答复' },
  expired: {
    en: 'nobody answered in time, so it does not run',
    zh: '没有人及时答复，因此不会执行',
  },
  withdrawn: { en: 'is no longer asked for', zh: '已不再需要' },
}

export const words = {
  title: (tool: string): Text => ({ en: `Allow ${tool}?`, zh: `允许 ${tool}？` }),
  titleOn: (tool: string, server: string): Text => ({
    en: `Allow ${tool} on ${server}?`,
    zh: `允许 ${tool}（服务：${server}）？`,
  }),
  place: (at: number, total: number): Text => ({
    en: `${at} of ${total}`,
    zh: `第 ${at} 个，共 ${total} 个`,
  }),
  left: (time: string): Text => ({ en: `${time} left`, zh: `剩余 ${time}` }),
  why: (reason: string): Text => ({ en: `Asked because ${reason}.`, zh: `询问原因：${reason}。` }),
  once: { en: 'Allow once', zh: '允许一次' },
  tool: { en: 'Allow this tool in this session', zh: '本会话中允许这个工具' },
  all: { en: 'Auto-approve everything in this session', zh: '本会话中自动批准全部' },
  reject: { en: 'Reject', zh: '拒绝' },
  reason: (option: string): Text => ({
    en: `Reason, goes with "${option}": `,
    zh: `原因（随“${option}”发送）：`,
  }),
  keys: {
    en: 'Up/Down Enter · Tab reason · e details · Esc rejects',
    zh: '↑↓ Enter 选择 · Tab 原因 · e 详情 · Esc 拒绝',
  },
  keysInDetails: {
    en: 'PgUp/PgDn scroll · e closes details · Tab reason · Esc rejects',
    zh: 'PgUp/PgDn 滚动 · e 收起详情 · Tab 原因 · Esc 拒绝',
  },
  keysInReason: {
    en: 'Enter sends · Up/Down option · Esc back',
    zh: 'Enter 发送 · ↑↓ 选项 · Esc 返回',
  },
  tooEarly: {
    en: 'Keys that were typed before this question do not answer it.',
    zh: '在此问题出现之前输入的按键不作为答复。',
  },
  noArguments: { en: 'without arguments', zh: '无参数' },
  rows: (from: number, to: number, total: number): Text => ({
    en: `lines ${from} to ${to} of ${total}`,
    zh: `第 ${from}–${to} 行，共 ${total} 行`,
  }),
  notShown: (count: number): Text => ({
    en: `${count} more characters are not shown`,
    zh: `还有 ${count} 个字符未显示`,
  }),
  closed: (tool: string, how: CloseReason): Text => ({
    en: `${tool}: ${endings[how].en}.`,
    zh: `${tool}：${endings[how].zh}。`,
  }),
  autoTitle: {
    en: 'Auto-approve everything in this session?',
    zh: '本会话中自动批准全部操作？',
  },
  autoMeaning: {
    en:
      'What would be asked then runs without you being asked: also calls that delete, send or ' +
      'spend something, and those that wait now. Rules that deny still hold. The mark "auto" ' +
      'stays in sight; Shift+Tab or /approve ask ends it.',
    zh:
      '此后原本需要询问的操作将直接执行，包括删除、发送或产生费用的操作，以及正在等待的操作。' +
      '禁止规则仍然有效。状态栏会一直显示“自动”标记；按 Shift+Tab 或输入 /approve ask 可结束。',
  },
  autoYes: { en: 'Yes, approve everything', zh: '是，批准全部' },
  autoNo: { en: 'No, keep asking', zh: '否，继续询问' },
  hidden: { en: 'holds characters that cannot be seen', zh: '含有不可见字符' },
  bidi: { en: 'holds characters that change the order of the text', zh: '含有改变文字顺序的字符' },
  control: { en: 'holds control characters', zh: '含有控制字符' },
  mixed: (word: string): Text => ({
    en: `"${word}" mixes letters that look alike`,
    zh: `“${word}”混用了外形相似的字母`,
  }),
  host: (host: string): Text => ({
    en: `leads to ${host}, which may not be what it looks like`,
    zh: `实际指向 ${host}，可能与看上去的不同`,
  }),
  moreWarnings: (count: number): Text => ({ en: `${count} more`, zh: `另有 ${count} 项` }),
} as const
