import { chakra, Flex, Stack } from "@chakra-ui/react";
import type { ReactNode } from "react";

export interface ChoiceOption<T extends string> {
  value: T;
  title: ReactNode;
  detail?: ReactNode;
  icon?: ReactNode;
  aside?: ReactNode;
}

interface ChoiceProps<T extends string> {
  legend: string;
  name: string;
  value: T | undefined;
  options: ChoiceOption<T>[];
  onChange: (value: T) => void;
  disabled?: boolean;
}

/** Radio buttons as cards, one thumb high. */
export function Choice<T extends string>({ legend, name, value, options, onChange, disabled }: ChoiceProps<T>) {
  return (
    <chakra.fieldset disabled={disabled} border="0" minWidth="0" width="full">
      <chakra.legend textStyle="label" mb="1.5">
        {legend}
      </chakra.legend>
      <Stack gap="2">
        {options.map((option) => (
          <chakra.label
            key={option.value}
            display="flex"
            alignItems="center"
            gap="3"
            minHeight="14"
            px="4"
            py="2.5"
            borderWidth="1px"
            borderColor="border.control"
            borderRadius="md"
            cursor="pointer"
            _hover={{ borderColor: "fg" }}
            css={{
              "&:has(input:checked)": {
                borderColor: "border.brand",
                bg: "bg.brand",
                boxShadow: "inset 0 0 0 1px var(--chakra-colors-brand)",
              },
              "&:has(input:disabled)": { opacity: "0.6", cursor: "not-allowed" },
            }}
          >
            <chakra.input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              boxSize="5"
              accentColor="brand"
              flexShrink="0"
            />
            {option.icon}
            <chakra.span flex="1" minWidth="0">
              <chakra.span display="block" textStyle="body" fontWeight="600">
                {option.title}
              </chakra.span>
              {option.detail && (
                <chakra.span display="block" textStyle="small" color="fg.muted">
                  {option.detail}
                </chakra.span>
              )}
            </chakra.span>
            {option.aside && <Flex>{option.aside}</Flex>}
          </chakra.label>
        ))}
      </Stack>
    </chakra.fieldset>
  );
}
