import { z } from 'zod'
import { anyText, oneOf, secretList, text, wholeNumber } from './field.ts'
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
}
