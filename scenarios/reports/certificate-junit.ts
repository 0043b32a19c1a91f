import { XMLBuilder } from 'fast-xml-parser';
import { type Certificate, countOf, sinceText } from '../certify-client/certificate.ts';
import { limits } from '../certify-client/limits.ts';
import { xmlText } from './junit.ts';

/** The report on a client as JUnit XML: a testcase for each point; one that was not seen is skipped. */
export function certificateJunit(certificate: Certificate): string {
  const { run, points, seed } = certificate;
  const time = ((run.endMs - run.startMs) / 1_000).toFixed(3);
  const counts = {
    '@tests': points.length,
    '@failures': countOf(certificate, 'failed'),
    '@errors': 0,
    '@skipped': countOf(certificate, 'not-seen'),
    '@time': time,
  };
  const builder = new XMLBuilder({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    format: true,
    indentBy: '  ',
    suppressEmptyNode: true,
    suppressBooleanAttributes: false,
  });
  const body: unknown = builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': 'boxtwin certify-client',
      testsuite: {
        '@name': 'certify-client',
        ...counts,
        properties: { property: { '@name': 'seed', '@value': seed } },
        testcase: points.map(({ name, about, verdict, text, evidence }) => ({
          '@classname': 'certify-client',
          '@name': name,
          '@time': 0,
          ...(verdict === 'not-seen' ? { skipped: { '@message': xmlText(text) } } : {}),
          ...(verdict === 'failed'
            ? {
                failure: {
                  '@type': 'point',
                  '@message': xmlText(text),
                  '#text': xmlText(
                    [
                      `A good client: ${about}`,
                      ...evidence
                        .slice(0, limits.evidence)
                        .map((one) => `${sinceText(run, one.atMs)}  ${one.text}`),
                    ].join('\n'),
                  ),
                },
              }
            : {}),
        })),
      },
    },
  });
  return String(body);
}
