import { chakra } from "@chakra-ui/react";
import { encode } from "uqr";

/** A QR code, drawn: nothing is fetched for it. */
export function Qr({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: "M", border: 2 });
  const dark = data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return (
    <chakra.svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width="13rem"
      maxWidth="full"
      height="auto"
      bg="white"
      shapeRendering="crispEdges"
    >
      <path d={dark} fill="currentColor" />
    </chakra.svg>
  );
}
