import { chakra } from "@chakra-ui/react";
import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { Card } from "@/ui/Card";

/** A part of a group's settings; the address may lead straight to it. */
export function SettingsSection({
  id,
  title,
  lead,
  children,
}: {
  id: string;
  title: string;
  lead?: string;
  children: ReactNode;
}) {
  const { hash } = useLocation();
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (hash === `#${id}`) part.current?.scrollIntoView?.();
  }, [hash, id]);
  return (
    <chakra.div ref={part} id={id} scrollMarginTop="20">
      <Card title={title}>
        {lead && (
          <chakra.p textStyle="body" color="fg.muted" mt="-2" mb="3">
            {lead}
          </chakra.p>
        )}
        {children}
      </Card>
    </chakra.div>
  );
}
