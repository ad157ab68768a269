import { startCommand } from '../places.ts'
import { type GroupName, groups } from './field.ts'
import { modelVariables } from './model-variables.ts'
import { actions, type Field, fields } from './names.ts'
import type { Lang } from './text.ts'

/** What `--help` prints: every setting with its flag, variable and default, by group. */
export function formatHelp(lang: Lang): string {
  const usage = {
    en: `Usage: ${startCommand} [flags]\n\nSettings are taken from the flags, else the environment, else dataagent.config.json, else the default.`,
    zh: `用法：${startCommand} [参数]\n\n取值顺序：命令行参数、环境变量、配置文件 dataagent.config.json、默认值。`,
  }
  const sections = (Object.keys(groups) as GroupName[]).map((group) => {
    const own = fields.filter((field) => field.group === group)
    return [`${groups[group][lang]}:`, ...own.map((field) => entry(field, lang))].join('\n')
  })
  const others = Object.values(actions).map(({ flag, about }) => `  ${flag}\n      ${about[lang]}`)
  const heading = { en: 'Others:', zh: '其他：' }
  const last = [heading[lang], ...others].join('\n')
  return ['DataAgent', usage[lang], ...sections, modelSection(lang), last, ''].join('\n\n')
}

function modelSection(lang: Lang): string {
  const heading = { en: 'Models (environment only):', zh: '模型（仅环境变量）：' }
  const entries = modelVariables.map(({ env, about }) => `  ${env}\n      ${about[lang]}`)
  return [heading[lang], ...entries].join('\n')
}

/** The default as a person reads it. */
export function shownDefault(field: Field, lang: Lang): string {
  if (field.shownDefault) return field.shownDefault[lang]
  const value: unknown = field.schema.parse(undefined)
  const isNone = value === undefined || (Array.isArray(value) && value.length === 0)
  if (isNone) return { en: 'none', zh: '无' }[lang]
  return String(value)
}

function entry(field: Field, lang: Lang): string {
  const value = { text: ' VALUE', number: ' N', switch: '', list: ' A,B' }[field.kind]
  const label = { en: 'default', zh: '默认' }[lang]
  return [
    `  ${field.flag}${value}`,
    `      ${field.about[lang]}`,
    `      ${field.env}  [${label}: ${shownDefault(field, lang)}]`,
  ].join('\n')
}
