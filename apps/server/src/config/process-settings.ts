import { z } from 'zod'
import { anyText, oneOf, onOff, secretList, text, wholeNumber } from './field.ts'
import { langs } from './text.ts'
import { isWebUrl } from './value-checks.ts'

/** Processes, and what is told of them. */
export const processSettings = {
  workers: wholeNumber(1, 256, 1, {
    group: 'process',
    about: { en: 'Processes that serve requests', zh: '工作进程数' },
  }),
  shutdown_grace: wholeNumber(0, 3600, 25, {
    group: 'process',
    about: {
      en: 'Seconds that requests under way may take to finish when the server stops',
      zh: '停止时等待进行中请求完成的时间（秒）',
    },
  }),
  shutdown_delay: wholeNumber(0, 600, 0, {
    group: 'process',
    about: {
      en: 'Seconds to go on accepting after readiness has turned 503, for load balancers to notice',
      zh: '就绪检查变为 503 后继续接收请求的时间（秒），供负载均衡器感知',
    },
  }),
  log_level: oneOf(['debug', 'info', 'warning', 'error'], 'info', {
    group: 'process',
    about: { en: 'Least level that is logged', zh: '日志级别阈值' },
  }),
  log_format: oneOf(['auto', 'json', 'pretty'], 'auto', {
    group: 'process',
    about: {
      en: 'One JSON record a line, or lines for people; auto: pretty on a terminal',
      zh: '日志格式：json 每行一条记录；pretty 便于阅读；auto 在终端上用 pretty',
    },
  }),
  lang: oneOf(langs, undefined, {
    group: 'process',
    about: { en: 'Language of messages on the terminal', zh: '终端提示语言' },
    shownDefault: {
      en: 'from LC_ALL, LC_MESSAGES or LANG',
      zh: '取自 LC_ALL、LC_MESSAGES 或 LANG',
    },
  }),
  stdio_sandbox: oneOf(['auto', 'off'], 'auto', {
    group: 'process',
    about: {
      en: 'Confine the MCP servers over stdio that administrators share: auto where bubblewrap is (they see no process and no data of this server, and write only to folders named in their settings and to caches of packages), off never; those of users are confined in any case',
      zh: '隔离管理员共享的 stdio MCP 服务器：auto 在装有 bubblewrap 时隔离（看不到本服务的进程和数据，只能写入其配置中写明的目录和软件包缓存），off 不隔离；用户自己的始终隔离',
    },
  }),
  otlp_endpoint: text(anyText.refine(isWebUrl), undefined, {
    expected: { en: 'an http:// or https:// URL', zh: 'http:// 或 https:// 网址' },
    group: 'process',
    about: {
      en: 'OpenTelemetry receiver (OTLP over HTTP) that gets traces',
      zh: '接收追踪数据的 OpenTelemetry 地址（OTLP over HTTP）',
    },
  }),
  otlp_headers: secretList(z.string().regex(/^[\w!#$%&'*+.^`|~-]+=[\x20-\x7e]*$/), {
    expected: { en: 'name=value pairs separated by commas', zh: '以逗号分隔的 name=value' },
    group: 'process',
    about: { en: 'Headers sent to that receiver', zh: '发送给该地址的请求头' },
  }),
  otlp_sample_percent: wholeNumber(0, 100, 100, {
    group: 'process',
    about: {
      en: 'Of 100 traces that begin here, how many are sent; those of callers say so themselves',
      zh: '每 100 条由本服务开始的追踪中发送多少条；调用方带来的追踪由调用方决定',
    },
  }),
  trace_content: onOff(false, {
    group: 'process',
    about: {
      en: 'Put prompts, answers, arguments and results of tools into traces too, secrets masked',
      zh: '在追踪中也包含提示词、回答以及工具的参数和结果（密钥会被遮蔽）',
    },
  }),
}
