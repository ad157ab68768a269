import type { Phrases } from '../../api/field-phrases.ts'
import { toOne } from '../../api/field-phrases.ts'
import { defineWords } from '../../words/words.ts'

const zh: Phrases = [
  [/^the text is longer than (\d+) characters$/, (n = '') => `内容超过 ${n} 个字符。`],
  [/^there is nothing to read: /, () => '没有可识别的内容，请粘贴上面列出的任一形式。'],
  [/^there is no server in it$/, () => '其中没有服务。'],
  [/^only the first (\d+) servers were read$/, (n = '') => `只识别了前 ${n} 个服务。`],
  [/^this looks like TOML/, () => '内容像是 TOML，但无法解析。'],
  [/^this looks like JSON/, () => '内容像是 JSON，但其中没有找到服务。'],
  [/^this is nothing that can be read/, () => '无法识别为服务，请粘贴上面列出的任一形式。'],
  [/^this entry is not an object$/, () => '这一项不是对象。'],
  [/^its JSON cannot be read$/, () => '其中的 JSON 无法解析。'],
  [/^the command names no server$/, () => '命令中没有服务的名称。'],
  [/^the command names neither a program nor a URL$/, () => '命令中既没有程序，也没有地址。'],
  [/^the package has no identifier$/, () => '软件包没有标识。'],
  [/^the package is a server of its own/, () => '该软件包自身就是服务：请先启动它，再添加其地址。'],
  [/^packages of the kind "(.*)" cannot/, (kind = '') => `无法从这里启动“${kind}”类型的软件包。`],
  [/^the line has .+: only a single command/, () => '只能添加单个命令：命令不经 shell 执行。'],
  [/^it has a URL and a command/, () => '同时有地址和命令，已采用地址。'],
  [/^the name was changed to fit$/, () => '名称已调整为符合要求的形式。'],
  [/^the command held its arguments/, () => '命令中含有参数，已自动拆分。'],
  [/^the timeout of (.+) was taken for milliseconds$/, (n = '') => `超时 ${n} 已按毫秒处理。`],
  [/^the field "(.*)" is not taken over$/, (field = '') => `字段“${field}”未采用。`],
  [/^the option "(.*)" is not taken over$/, (option = '') => `选项“${option}”未采用。`],
  [/^it lets its tools run without approval$/, () => '它允许其工具不经批准直接运行。'],
  [/^it takes over changed tools without approval$/, () => '它不经批准就采用变更后的工具。'],
  [
    /^(\S+) looks like a secret and would be shown/,
    (path = '') => `${path} 像是机密且会被看到：可以的话请改用环境变量或请求头。`,
  ],
]

export const pastePhrases = defineWords<Phrases>({ en: [], zh })

/** What the server says of something pasted, in English; what is unknown stays as it is. */
export function toPasteText(text: string, phrases: Phrases): string {
  return toOne(text, phrases) ?? text
}
