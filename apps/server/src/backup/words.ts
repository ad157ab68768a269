import type { Text } from '../config/index.ts'

/** Why a backup is not made, or not taken. */
export const told = {
  within: (path: string): Text => ({
    en: `A backup cannot be in the data directory that it is of: ${path}`,
    zh: `备份目录不能位于其所备份的数据目录之内：${path}`,
  }),
  noDatabase: (path: string): Text => ({
    en: `There is nothing to back up: there is no database ${path}`,
    zh: `没有可备份的内容：数据库 ${path} 不存在`,
  }),
  notEmpty: (path: string): Text => ({
    en: `${path} is not empty. Nothing was written: name one that is empty or absent.`,
    zh: `${path} 不为空。未写入任何内容：请指定空的或尚不存在的位置。`,
  }),
  hasFile: (path: string, file: string): Text => ({
    en: `${path} is not empty: there is ${file}. Nothing was written: name one that is absent, or has no files.`,
    zh: `${path} 不为空：其中有 ${file}。未写入任何内容：请指定尚不存在或其中没有文件的位置。`,
  }),
  damaged: (path: string): Text => ({
    en: `The database ${path} is damaged: this backup must not be relied on.`,
    zh: `数据库 ${path} 已损坏：请勿使用此备份。`,
  }),
  notWhole: (path: string): Text => ({
    en: `${path} is no backup, or one that was cut off: it has no manifest.json. Nothing was written.`,
    zh: `${path} 不是备份，或备份过程被中断：缺少 manifest.json。未写入任何内容。`,
  }),
  unknownForm: (path: string): Text => ({
    en: `The manifest.json of ${path} is damaged, or of a newer version. Nothing was written.`,
    zh: `${path} 的 manifest.json 已损坏，或来自更新的版本。未写入任何内容。`,
  }),
  otherKind: (theirs: string, ours: string): Text => ({
    en: `The backup is of a server on ${theirs}, and the settings say ${ours}. Nothing was written.`,
    zh: `备份来自使用 ${theirs} 的服务器，而当前配置为 ${ours}。未写入任何内容。`,
  }),
  missing: (path: string): Text => ({
    en: `The backup is not whole: ${path} is missing. Nothing was written.`,
    zh: `备份不完整：缺少 ${path}。未写入任何内容。`,
  }),
  changed: (path: string): Text => ({
    en: `The backup was changed: ${path} is not as it was written. It is not restored.`,
    zh: `备份已被改动：${path} 与写入时不一致。不予恢复。`,
  }),
  unknown: (path: string): Text => ({
    en: `The backup was changed: it has ${path}, which its manifest.json does not know. Nothing was written.`,
    zh: `备份已被改动：其中的 ${path} 不在 manifest.json 中。未写入任何内容。`,
  }),
  cutOff: (path: string): Text => ({
    en: `A restore into ${path} was cut off. Empty the directory and restore again.`,
    zh: `向 ${path} 的恢复过程被中断。请清空该目录后重新恢复。`,
  }),
}
