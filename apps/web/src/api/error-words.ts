import { type ClientError, isClientError } from '@dataagent/client'
import type { Formats } from '../words/formats.ts'
import { defineWords } from '../words/words.ts'
import { fieldPhrases, toPhrase } from './field-phrases.ts'
import { limitWords } from './limit-words.ts'

type ByCode = Readonly<Record<string, string>>

export const errorWords = defineWords({
  en: {
    /** Of the others the server's own words, which are English, say more. */
    codes: {
      network_failed: 'The server cannot be reached. Check your connection and try again.',
      unauthenticated: 'You are no longer signed in.',
      rate_limited: 'Too many requests. Try again in a moment.',
      unavailable: 'The server is busy. Try again in a moment.',
      internal: 'The server had a fault.',
    } as ByCode,
    reasons: {
      run_over: 'The turn that asked has ended. Send the message again in the chat.',
    } as ByCode,
    unknown: 'Something went wrong.',
    original: (message: string) => message,
    after: (time: string) => `Try again in ${time}.`,
    reference: (id: string) => `Reference ${id}.`,
    limits: limitWords.en,
    field: (path: string, expected: string) => `${path}: expected ${expected}`,
    phrases: fieldPhrases.en,
  },
  zh: {
    codes: {
      network_failed: '无法连接服务，请检查网络后重试。',
      unauthenticated: '登录已失效。',
      rate_limited: '请求过于频繁，请稍后再试。',
      unavailable: '服务繁忙，请稍后再试。',
      internal: '服务出现故障。',
      invalid_request: '填写的内容不符合要求。',
      invalid_arguments: '参数不符合工具的要求。',
      parse_error: '内容的格式无法识别。',
      method_not_found: '服务没有这个功能。',
      method_not_allowed: '服务没有这个功能。',
      unsupported_media_type: '不支持这种内容类型。',
      forbidden: '你没有权限执行此操作，请联系管理员。',
      tool_not_allowed: '不允许调用该工具：管理员的规则或清单不允许。',
      approval_required: '此调用需要有人同意。',
      approval_rejected: '此调用已被拒绝，没有执行。',
      egress_denied: '不允许访问该地址，请联系管理员放行。',
      path_denied: '不允许访问该路径。',
      not_found: '内容不存在，或已被删除。',
      conflict: '与现有内容冲突，或正在进行其他操作。',
      too_large: '内容过大。',
      quota_exceeded: '已达到上限。',
      cancelled: '已取消。',
      config_invalid: '服务的配置有误，请联系管理员。',
      secret_unreadable: '保存的凭据无法读取，请重新填写。',
      process_failed: '程序运行失败。',
      invalid_result: '工具返回的结果不符合其定义。',
      unknown_outcome: '不确定是否已执行，重试前请先确认。',
      upstream_failed: '对方服务出错，请稍后再试。',
      store_unavailable: '数据存储暂时不可用，请稍后再试。',
      timeout: '超时，请稍后再试。',
      storage_full: '磁盘空间不足。',
    } as ByCode,
    reasons: {
      exists: '已经存在，请换一个标识。',
      run_over: '发起询问的那一轮已结束，请在对话中重新发送消息。',
      last_manager: '这是最后一位管理员，必须保留。',
    } as ByCode,
    unknown: '出现错误。',
    original: (message: string) => `原文：${message}`,
    after: (time: string) => `请在 ${time}后重试。`,
    reference: (id: string) => `参考号 ${id}。`,
    limits: limitWords.zh,
    field: (path: string, expected: string) => `${path}：应为 ${expected}`,
    phrases: fieldPhrases.zh,
  },
})

/** Codes whose message says more than the code: which path, what a provider answered. */
const saysMore = new Set([
  ...['upstream_failed', 'conflict', 'invalid_request', 'path_denied', 'egress_denied'],
  ...['process_failed', 'config_invalid', 'too_large', 'invalid_result', 'parse_error'],
])
const originalMax = 300

type ErrorWords = (typeof errorWords)['en']

/** What went wrong, for the person who tried it: the server's own words where it says more. */
export function toProblem(error: unknown, words: ErrorWords, formats: Formats): string {
  if (!isClientError(error)) return words.unknown
  const { details, retryAfterMs, request_id } = error
  const reason = words.reasons[String(details?.reason)]
  const { known, other } = limitOf(details, words, formats)
  const sentence = known ?? words.codes[error.error_code]
  const specifics = [...other, ...fieldsOf(details?.errors, words)]
  const parts = [reason ?? sentence ?? error.message, ...specifics]
  const isGeneral = sentence !== undefined && reason === undefined && specifics.length === 0
  if (isGeneral && saysMore.has(error.error_code)) {
    parts.push(words.original(toShort(error.message)))
  }
  if (retryAfterMs !== undefined && retryAfterMs >= 1000) {
    parts.push(words.after(formats.duration(retryAfterMs)))
  }
  if (error.status >= 500 && request_id !== undefined) parts.push(words.reference(request_id))
  return parts.join(' ')
}

/** Limits that hold bytes; the others hold things. */
const inBytes = new Set(['workspace_quota'])

/** A limit that has a sentence of its own says all; of another so much is said beside the rest. */
function limitOf(details: ClientError['details'], { limits }: ErrorWords, formats: Formats) {
  const { limit, max } = details ?? {}
  if (typeof limit !== 'string' || typeof max !== 'number') return { other: [] }
  const text = inBytes.has(limit) ? formats.bytes(max) : formats.number(max)
  const known = limits.limits[limit]?.(text)
  return known === undefined ? { other: [limits.other(text)] } : { known, other: [] }
}

function fieldsOf(errors: unknown, { field, phrases }: ErrorWords): string[] {
  if (!Array.isArray(errors)) return []
  return errors.slice(0, 5).map((error) => {
    const { path, expected } = error as { path?: unknown; expected?: unknown }
    return field(String(path), toPhrase(String(expected), phrases))
  })
}

function toShort(message: string): string {
  return message.length > originalMax ? `${message.slice(0, originalMax)}…` : message
}
